"""Quality of the text extracted from real news pages: token F1 against gold bodies.

`make bench-extract DATA=folder`: the folder has `gold.jsonl` (`id`, `url`, `article_body`) and
`html/<id>.html.gz`, as the article-extraction-benchmark of scrapinghub has them. A token is a run
of letters and digits, tokens count as often as they occur. Exits with 1 below the bounds.
"""

import gzip
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

import trafilatura

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode_page
from uaeval.news.article import extract

MEAN, LEAST = 0.96, 0.60
TOKEN = re.compile(r"\w+")


def f1(found: str, gold: str) -> float:
    """Return the harmonic mean of precision and recall over tokens."""
    ours, theirs = Counter(TOKEN.findall(found)), Counter(TOKEN.findall(gold))
    total = sum(ours.values()) + sum(theirs.values())
    return 2 * sum((ours & theirs).values()) / total if total else 1.0


def article(data: bytes, url: str) -> str:
    """Return the text that a crawl would keep; none if it would keep none."""
    try:
        return extract(decode_page(data), url).text
    except FetchError:
        return ""


def main() -> int:
    """Print the figures."""
    if len(sys.argv) != 2 or not Path(sys.argv[1], "gold.jsonl").is_file():
        print("give the folder with gold.jsonl and html/: make bench-extract DATA=folder")
        return 2
    folder = Path(sys.argv[1])
    gold = [json.loads(line) for line in (folder / "gold.jsonl").open(encoding="utf-8")]
    started = time.perf_counter()
    ours, plain = {}, {}
    for page in gold:
        data = gzip.decompress((folder / "html" / f"{page['id']}.html.gz").read_bytes())
        ours[page["url"]] = f1(article(data, page["url"]), page["article_body"])
        plain[page["url"]] = f1(trafilatura.extract(data) or "", page["article_body"])
    seconds = time.perf_counter() - started
    for name, figures in (("uaeval", ours), ("trafilatura.extract", plain)):
        mean, least = sum(figures.values()) / len(figures), min(figures.values())
        print(f"{name:20} mean F1 {mean:.4f}  least {least:.3f}  over {len(figures)} pages")
    for url, figure in sorted(ours.items(), key=lambda entry: entry[1])[:5]:
        print(f"  {figure:.3f}  {url}")
    print(f"{seconds:.1f} s for both")
    return int(sum(ours.values()) / len(ours) < MEAN or min(ours.values()) < LEAST)


if __name__ == "__main__":
    sys.exit(main())
