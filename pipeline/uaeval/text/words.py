"""temporary"""

from functools import lru_cache

from uaeval.knowledge.words import light_stem
from uaeval.synthesis.wording import *


@lru_cache(maxsize=65536)
def stems(text):
    return frozenset(light_stem(w) for w in content_words(text))
