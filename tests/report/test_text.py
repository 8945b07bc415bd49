import pytest

from uaeval.report.text import markdown, shortened, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand  gaps ", "two lines and gaps"),
        ("\x1b[31mred\x1b[0m", r"\u001b[31mred\u001b[0m"),
        ("safe\u202egnp.exe", r"safe\u202egnp.exe"),
        ("a\u2066b\u2069c\u200f", r"a\u2066b\u2069c\u200f"),
        ("hidden\U000e0041", r"hidden\U000e0041"),
        ("half \ud83d", r"half \ud83d"),
        ("naïve 漢字 👩\u200d🔬", "naïve 漢字 👩\u200d🔬"),
    ],
)
def test_what_hides_or_reorders_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_long_text_is_cut_at_a_word() -> None:
    assert shortened("one two three", 9) == "one two …"
    assert shortened("one two three", 13) == "one two three"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a&#124;b"),
        ("`code`", "&#96;code&#96;"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("![x](http://a.b)", r"!\[x\](http&#58;//a.b)"),
        ("see www.a.b or https://c.d", "see www&#46;a.b or https&#58;//c.d"),
        ("**bold** _it_ # ~~no~~ $x$", r"\*\*bold\*\* \_it\_ \# \~\~no\~\~ \$x\$"),
        ("back\\slash", "back\\\\slash"),
        ("line\n# head", r"line \# head"),
        ("plain: 3 of 4 (75 %).", "plain: 3 of 4 (75 %)."),
    ],
)
def test_nothing_in_foreign_text_is_read_as_markdown(text: str, shown: str) -> None:
    assert markdown(text) == shown
