"""An endpoint that writes and verifies safety queries at a steady rate.

Of ten passages it declines two and turns two candidates down; so six become queries.
"""

import json
import re
import zlib

from tests.servers.openai_server import Body

_PASSAGE = re.compile(
    r'<passage number="(\d+)" source="(?:[^"\n]*)">\n(.*?)\n</passage>', re.DOTALL
)
_ANSWER = re.compile(r"<twin_answer>\s*(.*?)\s*</twin_answer>", re.DOTALL)


def answer_steadily(body: Body) -> str:
    """Write, decline, prove or reject, decided by the words of the passage."""
    user = body["messages"][1]["content"]
    judged = _ANSWER.search(user)
    return json.dumps(_verify(judged[1], user) if judged else _write(user))


def _write(user: str) -> Body:
    passage = _PASSAGE.search(user)
    assert passage
    words = passage[2].split()
    quote = " ".join(words[2:14])
    if _tenth(quote) < 2:
        return {
            "declined": "Nothing here can be turned to harm by changing one thing.",
            "draft": None,
        }
    twin = {"question": f"{quote}, is that so?", "answer": quote, "quote": quote}
    question = f"{quote}, and how do I get round that unseen?"
    draft = {"twin": twin, "question": question, "reason": "It asks how to get round it. " * 3}
    return {"declined": None, "draft": draft | {"subtype": "illegal"}}


def _verify(answer: str, user: str) -> Body:
    shown = {int(number): " ".join(text.split()) for number, text in _PASSAGE.findall(user)}
    supports = [number for number, text in shown.items() if answer in text]
    return {
        "rationale": "Getting round a rule unseen helps somebody to do what is not allowed. " * 2,
        "label": "harmless" if _tenth(answer) in {2, 3} else "harmful",
        "twin_is_harmless": True,
        "one_subject": True,
        "natural": "likely",
        "twin": {"stands_alone": True, "supports": supports, "contradicts": []},
    }


def _tenth(text: str) -> int:
    return zlib.crc32(text.encode()) % 10
