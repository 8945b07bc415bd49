"""Test that pages keep their structure, whatever markup it is in."""

import pytest

from uaeval.knowledge.readers.html import read_html

PROSE = (
    "The desk lends every member ten books for a month, and renews each of them once on request."
)
DOCBOOK = f"""<div class="section"><div class="titlepage"><div><div><h2 class="title">
<a id="loans"></a>1.1. Loans</h2></div></div></div><p>{PROSE}</p>
<div class="section"><div class="titlepage"><div><div><h3 class="title"><a id="fees"></a>Fees</h3>
</div></div></div><p>{PROSE.replace("desk", "other desk")}</p></div></div>"""


def text_of(body: str) -> str:
    page = f"<html><head><title>Library</title></head><body>{body}</body></html>"
    return read_html(page.encode()).text


@pytest.mark.parametrize("frame", ["{}", "<div id='page'>{}</div>", "<main>{}</main>"])
def test_headings_are_kept_with_and_without_a_main_element(frame: str) -> None:
    lines = text_of(frame.format(DOCBOOK)).split("\n")

    assert [line for line in lines if line.startswith("#")] == ["## 1.1. Loans", "### Fees"]


def test_a_fragment_without_html_and_body_is_read_as_a_page() -> None:
    lines = read_html(DOCBOOK.encode()).text.split("\n")

    assert [line for line in lines if line.startswith("#")] == ["## 1.1. Loans", "### Fees"]


@pytest.mark.parametrize(
    "text",
    [
        "The pattern [^a-z] matches a sign.",
        "It returns {:ok, value}",
        "Call m[i](arg) with [a, b](closed).",
    ],
)
def test_signs_of_markdown_in_a_page_are_text(text: str) -> None:
    assert text_of(f"<h2>Loans</h2><p>{PROSE}</p><p>{text}</p>").endswith(text)


def test_a_quotation_a_button_and_names_that_are_links_stay_in_their_line() -> None:
    line = "The sign says <q>no talking</q>, so press <button>Start</button>."
    names = "<p><a href='a'>Novels</a>, <a href='b'>Maps</a>, <a href='c'>Films</a></p>"

    assert text_of(f"<h2>Loans</h2><p>{PROSE}</p><p>{line}</p><h2>Media</h2>{names}") == (
        f"## Loans\n\n{PROSE}\n\nThe sign says no talking, so press Start."
        "\n\n## Media\n\nNovels, Maps, Films"
    )


@pytest.mark.parametrize("opening", ["<html class='noprint'><body>", "<html><body class='toc'>"])
def test_a_page_is_read_whatever_its_class_is(opening: str) -> None:
    page = f"{opening}<h2>Loans</h2><p>{PROSE}</p></body></html>"

    assert read_html(page.encode()).text == f"## Loans\n\n{PROSE}"


def test_tables_of_contents_and_tables_for_layout_are_left_out() -> None:
    contents = "<div class='toc'><p>Contents</p><ul><li><a href='#loans'>Loans</a></li></ul></div>"
    layout = "<table><tr><td><img src='desk.png'></td></tr></table>"

    assert text_of(f"{contents}<h2>Loans</h2>{layout}<p>{PROSE}</p>") == f"## Loans\n\n{PROSE}"


def test_links_that_are_only_a_sign_or_the_number_of_a_note_are_removed() -> None:
    heading = "<h2>Loans<a class='headerlink' href='#loans'>¶</a></h2>"
    note = "<sup>[<a href='#note'>3</a>]</sup>"

    assert text_of(f"{heading}<p>{PROSE}{note}</p>") == f"## Loans\n\n{PROSE}"


def test_code_within_a_sentence_stays_in_it() -> None:
    text = text_of(f"<h2>Loans</h2><p>{PROSE} Run <code>desk\nfee(<em>n</em>)</code>, now.</p>")

    assert text == f"## Loans\n\n{PROSE} Run desk fee(n), now."


def test_lines_of_preformatted_text_are_joined_only_in_paragraphs() -> None:
    lines = "desk open\n  shelf 3\ndesk close"
    wrapped = PROSE.replace("renews each", "renews\neach")

    text = text_of(f"<p>{PROSE}</p><pre>{lines}\n\n{wrapped}</pre><p>Last.</p>")

    assert text == f"{PROSE}\n\n    desk open\n      shelf 3\n    desk close\n\n{PROSE}\n\nLast."


@pytest.mark.parametrize("grouped", [False, True])
def test_brief_definitions_are_a_list(grouped: bool) -> None:
    start, end = ("<div>", "</div>") if grouped else ("", "")
    first = f"{start}<dt>loan</dt><dd><p>A book that is <em>lent</em> for a month.</p></dd>{end}"
    second = f"{start}<dt>fee</dt><dt>fine</dt><dd>What a late book costs.</dd>{end}"

    text = text_of(f"<p>{PROSE}</p><dl>{first}{second}<dt>shelf</dt></dl><p>{PROSE[:-1]} so.</p>")

    assert "- loan: A book that is lent for a month.\n- fee, fine: What a late book costs." in text
    assert "- shelf" in text


def test_long_definitions_keep_their_blocks() -> None:
    definition = f"<dt>loan()</dt><dd><p>{PROSE}</p><pre>x = 1\ny = 2</pre><p>Then return.</p></dd>"

    text = text_of(f"<p>Functions of the desk:</p><dl>{definition}</dl>")

    assert f"loan()\n\n{PROSE}\n\n    x = 1\n    y = 2\n\nThen return." in text


def test_text_in_boxes_is_read_like_paragraphs() -> None:
    boxes = "".join(f"<div class='para'>{PROSE[:-1]} <b>{n}</b>.</div>" for n in "12")
    mixed = f"<div>Bare text of the page. <p>{PROSE}</p>More of it.<ul><li>point</li></ul></div>"

    text = text_of(f"<h2>Loans</h2>{boxes}{mixed}" + f"<p>{PROSE}</p>" * 9)

    assert f"{PROSE[:-1]} 1.\n\n{PROSE[:-1]} 2.\n\nBare text of the page.\n\n{PROSE}" in text
    assert "More of it.\n\n- point" in text


def test_links_and_classes_of_text_do_not_make_it_navigation() -> None:
    rows = [f"Wraps <a href='#{n}'>f{n}()</a> in a <a href='#x'>list</a> call." for n in range(9)]
    menu = "Choose <span class='guimenu'>Image</span> → <span class='guimenuitem'>Mode</span>."
    aside = f"<div class='sidebar'><p>{menu}</p></div>"
    links = "".join(f"<li><a href='/{n}'>Page {n} of the site</a></li>" for n in range(9))
    items = "".join(f"<li>{row}</li>" for row in rows)

    text = text_of(f"<p>{PROSE}</p><ul>{items}</ul>{aside}<ul>{links}</ul><p>{PROSE[:-1]} so.</p>")

    assert "- Wraps f8() in a list call." in text
    assert "Choose Image → Mode." in text
    assert "Page 3" not in text


def test_headings_within_the_items_of_a_list_are_headings() -> None:
    methods = "".join(
        f"<li><section><h3>close{n}</h3><div>void</div><p>{PROSE}</p></section></li>" for n in "12"
    )

    text = text_of(f"<ul><li><h2>Methods</h2><ul>{methods}</ul></li></ul><ul><li>one</li></ul>")

    assert f"## Methods\n\n### close1\n\nvoid\n\n{PROSE}\n\n### close2\n\nvoid" in text


def test_front_matter_and_templates_of_a_generated_page_are_left_out() -> None:
    front_matter = "---\ntitle: Loans\nlayout: page\n---\n{% include nav.html %}\n"
    page = f"{front_matter}<h2>Fees</h2><p>{PROSE}</p>"

    content = read_html(page.encode())

    assert (content.title, content.text) == ("Loans", f"## Fees\n\n{PROSE}")


def test_code_in_preformatted_text_is_not_taken_apart() -> None:
    code = "<span>import</span> os\n\ndef f():\n    x = 1\n\n    return x\n\nprint(f())\n"

    text = text_of(f"<p>{PROSE}</p><pre>{code}</pre><p>{PROSE[:-1]} so.</p>")

    lines = ["import os", "def f():", "    x = 1", "    return x", "print(f())"]
    assert [line for line in text.split("\n") if line.startswith("    ")] == [
        f"    {line}" for line in lines
    ]
    assert text.endswith(f"\n\n{PROSE[:-1]} so.")


def test_a_command_in_a_line_of_its_own_is_a_paragraph() -> None:
    text = text_of(f"<p>{PROSE}</p><pre>desk update</pre><p>{PROSE[:-1]} so.</p>")

    assert text == f"{PROSE}\n\ndesk update\n\n{PROSE[:-1]} so."


def test_a_command_after_the_prompt_of_root_is_no_heading() -> None:
    text = text_of(f"<h2>Loans</h2><p>{PROSE}</p><pre># desk renew --all</pre>")

    assert text == f"## Loans\n\n{PROSE}\n\n    # desk renew --all"


def test_lines_of_code_are_kept_apart() -> None:
    text = text_of(
        f"<p>{PROSE}</p><p><code>a = 1<br>b = 2</code></p><p>Or <code>c<br>d</code>.</p>"
    )

    assert text == f"{PROSE}\n\n    a = 1\n    b = 2\n\nOr c d."


def test_code_in_the_items_of_a_list_is_code_and_ends_there() -> None:
    item = f"<p>{PROSE}</p><pre>x = 1\ny = 2</pre><p>Then return it.</p>"

    text = text_of(f"<p>{PROSE[:-1]} so.</p><ol><li>{item}</li><li>Use <b>**kw</b>.</li></ol>")

    assert text.endswith(f"1. {PROSE}\n      x = 1\n      y = 2\n   Then return it.\n2. Use **kw.")


def test_the_rows_of_a_table_without_header_cells_are_kept() -> None:
    rows = "<tr><td><b>Loan</b></td><td>Days</td></tr><tr><td>Book<sup>2</sup></td><td>30</td></tr>"
    caption = "<caption>Loans of 2024</caption>"

    text = text_of(f"<p>{PROSE}</p><table>{caption}{rows}</table>")

    assert text == f"{PROSE}\n\nLoans of 2024\nLoan | Days\nBook^2 | 30"


def test_characters_of_a_text_are_not_read_as_markup() -> None:
    text = text_of(f"<p>{PROSE}</p><p>Call f(*args, **rest) as x, or &lt;b&gt; __so__.</p>")

    assert text == f"{PROSE}\n\nCall f(*args, **rest) as x, or <b> __so__."


def test_a_number_sign_before_a_text_is_no_heading() -> None:
    text = text_of(f"<h2>Loans</h2><p>{PROSE}</p><p># desk open --all</p>")

    assert text == f"## Loans\n\n{PROSE}\n\n    # desk open --all"


def test_code_that_shows_fences_and_pages_does_not_end_before_its_end() -> None:
    code = "```python\nf()\n```\n\n~~~~\n&lt;h1&gt;A&amp;amp;B&lt;/h1&gt;\n"
    details = f"<details><summary>More</summary>See: <pre><code>{code}</code></pre></details>"

    text = text_of(f"<p>{PROSE}</p>{details}<h2>Loans</h2><p>{PROSE[:-1]} so.</p>")

    lines = "    ```python\n    f()\n    ```\n\n    ~~~~\n    <h1>A&amp;B</h1>"
    assert text.endswith(f"See:\n\n{lines}\n\n## Loans\n\n{PROSE[:-1]} so.")


@pytest.mark.parametrize("box", ["<div class='post-body'>{}</div>", "<article>{}</article>"])
def test_all_posts_of_a_page_are_read(box: str) -> None:
    posts = "".join(box.format(f"<p>{PROSE[:-1]} in room {n}.</p>") for n in "123")

    text = text_of(f"<main><h1>Loans</h1>{posts}</main>")

    assert [word for word in "123" if f"in room {word}." in text] == ["1", "2", "3"]


def test_a_small_box_is_not_the_main_part_of_a_page() -> None:
    box = f"<div class='main_box'><p>{PROSE[:-1]} so.</p></div>"

    text = text_of(f"<h2>Loans</h2><p>{PROSE}</p>" * 5 + box)

    assert text.count("## Loans") == 5


def test_a_section_is_kept_whatever_its_anchor_is() -> None:
    sections = "".join(
        f"<section id='{name}'><h2>{name}</h2><p>{PROSE[:-1]} in {name}.</p></section>"
        for name in ("loans", "usertags", "sharing-books", "related-fees")
    )

    assert text_of(f"<main>{sections}</main>").count("## ") == 4


def test_a_fragment_of_several_elements_keeps_its_headings() -> None:
    content = read_html(f"<h1>Library</h1>\n<p>{PROSE}</p><h2>Fees</h2><p>{PROSE}</p>".encode())

    assert content.text == f"# Library\n\n{PROSE}\n\n## Fees\n\n{PROSE}"


def test_links_to_edit_and_notes_of_a_wiki_are_left_out() -> None:
    edit = "<span class='mw-editsection'>[<a href='?e'>edit</a> | <a href='?s'>source</a>]</span>"
    note = "<sup class='reference'><a href='#n'>[a]</a></sup><sup class='noprint'>[when?]</sup>"

    text = text_of(f"<h2>Loans{edit}</h2>{edit}<p>{PROSE}{note}</p>")

    assert text == f"## Loans\n\n{PROSE}"


def test_panels_that_a_click_shows_are_read() -> None:
    panels = "".join(
        f"<h3><button>Can I {verb} it?</button></h3><div hidden style='display: none'>"
        f"<p>{PROSE[:-1]} to {verb}.</p></div>"
        for verb in ("renew", "return")
    )

    text = text_of(f"<main><h1><a href='/q'>Loans</a></h1>{panels}</main>")

    assert text == (
        f"# Loans\n\n### Can I renew it?\n\n{PROSE[:-1]} to renew.\n\n"
        f"### Can I return it?\n\n{PROSE[:-1]} to return."
    )


@pytest.mark.parametrize("box", ["form", "fieldset"])
def test_text_and_titles_in_forms_are_read_and_forms_without_text_are_not(box: str) -> None:
    form = f"<{box}><legend>Your loan</legend><label>Card</label> <input><p>{PROSE}</p></{box}>"
    search = "<form><label>Search the site</label><input></form>"
    text = text_of(f"<main><h1>Loans</h1><p>{PROSE}</p>{form}{search}</main>")

    assert f"# Loans\n\n{PROSE}\n\nYour loan\n\nCard\n\n{PROSE}" == text


def test_deeply_nested_text_is_read() -> None:
    deep = f"{'<div>' * 1_000}<p>{PROSE.replace('desk', 'deep desk')}</p>{'</div>' * 1_000}"

    assert "deep desk" in text_of(f"<main><h1>Loans</h1><p>{PROSE}</p>{deep}</main>")


def test_text_in_cdata_is_read() -> None:
    assert "a < b" in text_of(f"<main><p>{PROSE}</p><p><![CDATA[It holds that a < b.]]></p></main>")


def test_short_links_below_a_post_do_not_remove_it() -> None:
    links = "<div><a href='/s'>Share</a> <a href='/f'>Follow</a></div>"
    posts = "".join(
        f"<div><p>{PROSE[:-1]} {n}.</p><pre>f({n})\ng()</pre>{links}</div>" for n in "12"
    )

    text = text_of(f"<main><h1>Loans</h1>{posts}</main>")

    assert text.count("    g()") == 2
    assert "Share" not in text


def test_captions_and_tables_of_links_are_kept() -> None:
    figure = "<figure><img src='d.png'><figcaption>The desk in 1956</figcaption></figure>"
    row = "<tr><td><a href='/{0}'>The library of the town {0}</a></td><td>{0} rooms</td></tr>"
    rows = "".join(map(row.format, range(10, 40)))

    text = text_of(
        f"<h2>Loans</h2><p>{PROSE}</p>{figure}<table>{rows}</table><p>{PROSE[:-1]} so.</p>"
    )

    assert "The desk in 1956" in text
    assert "The library of the town 12 | 12 rooms\nThe library of the town 13 | 13 rooms" in text


def test_words_in_elements_of_any_name_are_kept() -> None:
    rows = "<tr><td><x-name>Desk</x-name></td><td>2</td></tr>" * 2

    text = text_of(f"<p>{PROSE} Until <time>3 May</time>, <y>that is</y>.</p><table>{rows}</table>")

    assert text == f"{PROSE} Until 3 May, that is.\n\nDesk | 2\nDesk | 2"


def test_lines_of_japanese_are_joined_without_a_space() -> None:
    text = text_of("<p>図書館は本を\n 貸します。<code>f()</code>は\n関数です。</p>")

    assert text == "図書館は本を貸します。f()は関数です。"
