"""FastAPI: `--system http --url http://127.0.0.1:8111/ask`.

Install it by `pip install fastapi uvicorn`, and start it in this folder by
`uvicorn api:app --port 8111`.
"""

from fastapi import FastAPI

app = FastAPI()


@app.post("/ask")
async def ask(given: dict[str, str]) -> dict[str, str]:
    return {"answer": f"I don't know: {given['question']}"}
