"""FastAPI (`pip install fastapi`): `--system http --url http://127.0.0.1:8111/ask`."""

from fastapi import FastAPI

app = FastAPI()


@app.post("/ask")
async def ask(given: dict[str, str]) -> dict[str, str]:
    return {"answer": f"I don't know: {given['question']}"}
