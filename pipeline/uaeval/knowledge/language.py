"""Which language a text is in."""

from typing import Final

_SAMPLE: Final = 5_000


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language; `und` if it has no letters."""
    import py3langid  # type: ignore[import-untyped, unused-ignore]

    sample = " ".join(text[:_SAMPLE].split())
    if not any(letter.isalpha() for letter in sample):
        return "und"
    return str(py3langid.classify(sample)[0])
