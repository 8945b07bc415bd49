import pytest

from uaeval.knowledge.markdown import plain, read_markdown


def test_front_matter_goes_and_gives_the_title() -> None:
    page = read_markdown("---\ntitle: 'Sick leave: a guide'\ntags: [a]\n---\n\n# Other\n\nText.\n")

    assert page.title == "Sick leave: a guide"
    assert page.text == "# Other\n\nText."


def test_broken_front_matter_still_gives_its_title_line() -> None:
    page = read_markdown("---\ntitle: Leave\nbad: [unclosed\n---\nText.\n")

    assert (page.title, page.text) == ("Leave", "Text.")


def test_the_first_heading_is_the_title_without_front_matter() -> None:
    assert read_markdown("# The **big** rules\n\nText.").title == "The big rules"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("See [the guide](https://a.example/b) *now*, **please**.", "See the guide now, please."),
        ("One line\nthat goes on.", "One line that goes on."),
        ("病気休暇は\n二百時間です。", "病気休暇は二百時間です。"),
        ("![a picture](x.png) Text", "Text"),
        ("<!-- hidden -->\n\nShown", "Shown"),
        ("A <b>bold</b> word and <your-name>.", "A bold word and <your-name>."),
        ("```sh\n# not a heading\nrun --now\n```", "    # not a heading\n    run --now"),
        (
            "- one\n- two\n  - three\n\n1. first\n2. second",
            "- one\n- two\n  - three\n\n1. first\n2. second",
        ),
        ("| Place | Hours |\n|---|---|\n| Bonn | 8 |", "Place | Hours\nBonn | 8"),
        ("- [x] Done\n- [ ] Open", "- Done\n- Open"),
        ("A note.[^1]\n\n[^1]: Really.", "A note.\n\nReally."),
        ("Fish &amp; chips", "Fish & chips"),
        ("Use `**kwargs` here", "Use **kwargs here"),
        ("<table><tr><th>A</th><td>B</td></tr></table>", "A | B"),
        ("<h3>Top</h3>\n<ul><li>x</li><li>y</li></ul>", "### Top\n\n- x\n- y"),
    ],
)
def test_formatting_marks_are_removed_and_words_kept(markdown: str, text: str) -> None:
    assert plain(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ('Ask in {% slack_channel "admins-slack" %}.', "Ask in #admins-slack."),
        ('Read [the page]({% page "/a/b/#c" %}) first.', "Read the page first."),
        ("{% alert %}\nMind the gap.\n{% endalert %}", "Mind the gap."),
        ('{% alert "Heads up", "warning" %}\nMind it.\n{% endalert %}', "Mind it."),
        ('{% include "nav.html"\n  steps: x %}\n\nText', "Text"),
        ('{% image "_img/a.png" "a cat" %}\n\nText', "Text"),
        ("{% comment %}TODO{% endcomment %}Text", "Text"),
        ("Dear {{ page.name }} Team", "Dear Team"),
        ("Write `{% raw %}{% alert %}{% endraw %}` so", "Write {% alert %} so"),
        ("Set `{{ value }}` there", "Set {{ value }} there"),
        ('The {% term "per diem" %} counts', "The per diem counts"),
        ('{% if a == "b" %}Text{% endif %}', "Text"),
        ('<a href="{% page "/x" %}">Link</a> text', "Link text"),
        ('[the form][f]\n\n[f]: {% page "/form" %}', "the form"),
    ],
)
def test_template_tags_leave_only_what_they_show(markdown: str, text: str) -> None:
    assert read_markdown(markdown).text == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ('!!! note "Keys"\n    Free\n    keys.\n\n    Ask us.', "Keys\n\nFree keys.\n\nAsk us."),
        ("??? tip\n\n    ```\n    # a\n    x\n    ```", "    # a\n    x"),
        (
            '=== "A"\n\n    Ask us.\n\n=== "B"\n\n    - one\n\nEnd.',
            "A\n\nAsk us.\n\nB\n\n- one\n\nEnd.",
        ),
        (":::note[Keys]\nFree keys.\n:::", "Keys\n\nFree keys."),
        (":::tip\nFree keys.\n:::\nEnd.", "Free keys.\n\nEnd."),
        ("::: warning Keys\nFree keys.\n:::", "Keys\n\nFree keys."),
        (":::{note}\nFree keys.\n:::", "Free keys."),
        ("/// tip | Keys\nFree keys.\n///", "Keys\n\nFree keys."),
        ("> [!NOTE]\n> Free keys.", "Free keys."),
        (
            "<Note>\n  Free *keys*.\n</Note>\n\nA `<Note>`, a <Key>.",
            "Free keys.\n\nA <Note>, a <Key>.",
        ),
        ("```\n:::note\n!!! x\n```", "    :::note\n    !!! x"),
        ("Keys.\n\n{/* nobody sees this */}\n\n[TOC]", "Keys."),
        ("See [the keys][keys.free], [Keys][], not a[0][1].", "See the keys, Keys, not a[0][1]."),
        ("{{% note %}}\nFree keys.\n{{% /note %}}", "Free keys."),
    ],
)
def test_boxes_and_tabs_of_site_generators_are_text(markdown: str, text: str) -> None:
    assert read_markdown(markdown).text == text


@pytest.mark.parametrize(
    "markdown",
    [
        "Add this:\n\n    <Project>\n      <Item />\n    </Project>",
        "!!! Do not unplug the device while it updates",
        "The bridge was built in 1932 [1][2].",
    ],
)
def test_text_and_code_that_only_look_like_boxes_are_kept(markdown: str) -> None:
    assert read_markdown(markdown).text == markdown


def test_a_fence_in_a_list_ends_where_it_is_closed() -> None:
    text = read_markdown("- ```bash\n  ls\n  ```\n\n::: note\nIn a box.\n:::\n\nLast.").text

    assert text.endswith("In a box.\n\nLast.")


@pytest.mark.parametrize("code", ["[^a-z]", "m[i](arg)", "{:ok, value}", "[a][b]"])
def test_signs_in_code_are_no_markdown(code: str) -> None:
    assert plain(f"It has `{code}` and 2**3") == f"It has {code} and 2**3"


def test_a_number_of_a_list_that_is_too_long_begins_at_one() -> None:
    assert plain(f'<ol start="{"9" * 5000}"><li>Books</li></ol>') == "1. Books"
