"""temporary"""

import re

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'(])|\n\s*\n|\n(?=\s*[-*+|#>]|\s*\d+[.)])|<br>")


def sentences(text):
    out = []
    lines = text.split("\n")
    joined = []
    for l in lines:
        joined.append(l)
    for block in re.split(r"\n(?=[A-Z#*\-|>\s\d])", text):
        for p in _END.split(block):
            p = " ".join(p.split())
            p = re.sub(r"^(?:[-*+>#]+|\d+[.)])\s+", "", p)
            if p:
                out.append(p)
    return tuple(out)
