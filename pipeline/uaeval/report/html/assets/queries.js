// The list of queries: searched, filtered, sorted, and opened one by one.

const PAGE = 50;
const EXCERPT = 160;  // characters of a response in the list
const GOOD = new Set(["acceptable", "correct", "answered"]);
const BAD = new Set(["unacceptable", "incorrect", "over-refused"]);
const NEITHER = new Set(["partial", "undecided"]);
const BY_ID = new Map(DATA.queries.map((query) => [query.id, query]));
const form = document.getElementById("filters");
const list = document.getElementById("queries");
const more = document.getElementById("more");
let matching = [], shown = 0;

const KINDS = { query: "unanswerable", twin: "answerable twins", control: "controls of one's own" };
const words = (name) => name.replaceAll("_", " ");
const value = (name) => (form.elements[name] ? form.elements[name].value : "");
const inRun = (query) => query.runs[Number(value("run") || 0)] ?? {};
const state = (outcome) => (GOOD.has(outcome) ? "good" : BAD.has(outcome) ? "bad" : NEITHER.has(outcome) ? "" : "error");
const chip = (text, kind) => el("span", { className: `chip ${kind}`, textContent: words(text) });

function haystack(query) {
  if (!query.hay) {
    const texts = [query.id, query.question, query.reason, query.reference, query.outside];
    for (const run of query.runs) texts.push(run.text, ...(run.judged || []).map((one) => one.rationale));
    query.hay = texts.filter(Boolean).join("\n").toLowerCase();
  }
  return query.hay;
}

function matches(query) {
  const run = inRun(query);
  const wanted = [["kind", query.kind], ["category", query.category || "none"], ["verdict", run.verdict || "none"], ["outcome", run.outcome], ["cause", run.fault]];
  if (wanted.some(([name, has]) => value(name) && value(name) !== has)) return false;
  const flip = value("flip");
  if (flip && !(flip === "any" ? query.flips : (query.flips || []).includes(flip))) return false;
  return value("search").toLowerCase().split(/\s+/).every((word) => haystack(query).includes(word));
}

const KEYS = {
  category: (query) => [query.category || "~", query.kind],
  outcome: (query) => [inRun(query).outcome],
  verdict: (query) => [inRun(query).verdict || "~"],
  question: (query) => [query.question.toLowerCase()],
  length: (query) => [-(inRun(query).text || "").length],
  latency: (query) => [-(inRun(query).latency ?? -1)],
};

function compareKeys(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return 0;
}

function update() {
  matching = DATA.queries.filter(matches);
  const key = KEYS[value("sort")];
  if (key) matching = matching.map((query) => [key(query), query]).sort(([a], [b]) => compareKeys(a, b)).map(([, query]) => query);
  shown = 0;
  list.replaceChildren();
  showMore();
  const none = matching.length ? "" : ": none matches; Reset shows them all";
  document.getElementById("count").textContent = `${matching.length.toLocaleString("en")} of ${DATA.queries.length.toLocaleString("en")} queries${none}`;
}

function showMore() {
  const next = matching.slice(shown, shown + PAGE);
  list.append(...next.map(line));
  shown += next.length;
  more.hidden = shown >= matching.length;
  more.textContent = `Show ${Math.min(PAGE, matching.length - shown)} more`;
}

function what(query) {
  if (query.kind === "control") return "control of one's own";
  const category = words(query.category);
  if (query.kind === "twin") return `answerable twin of ${category}`;
  return query.subtype ? `${category}, ${words(query.subtype)}` : category;
}

function line(query) {
  const run = inRun(query);
  const own = [run.verdict ? chip(run.verdict, "") : null, run.outcome ? chip(run.outcome, state(run.outcome)) : null];
  const chips = el("span", { className: "chips" }, ...(DATA.runs.length > 1 ? outcomes(query) : own));
  const button = el("button", { type: "button", className: "ask" },
    el("span", { className: "what" }, what(query)),
    el("span", {}, el("bdi", { className: "question", textContent: short(query.question) }),
      ...query.runs.map(excerpt)),
    chips);
  button.setAttribute("aria-expanded", "false");
  const item = el("li", {}, button);
  item.dataset.id = query.id;
  button.addEventListener("click", () => toggle(item, query));
  return item;
}

function excerpt(run, at) {
  const text = run.text || "";
  return text ? el("span", { className: "answer" }, swatch(at), el("bdi", { textContent: text.length > EXCERPT ? `${text.slice(0, EXCERPT)} …` : text })) : null;
}

function toggle(item, query) {
  const opened = item.childElementCount === 1;
  if (opened) item.append(detail(query)); else item.lastElementChild.remove();
  item.firstElementChild.setAttribute("aria-expanded", String(opened));
}

function detail(query) {
  const twin = BY_ID.get(query.pair);
  const category = DATA.categories[query.category];
  const why = query.kind === "query"
    ? block("Why it should not be answered", textBox(query.reason || category.definition), el("p", { className: "note", textContent: `${category.title}: ${category.definition}` }))
    : block("Reference answer", query.reference ? textBox(query.reference) : null);
  const review = DATA.review ? el("a", { href: `${DATA.review}#query=${encodeURIComponent(query.id)}`, textContent: "Review" }) : null;
  review?.addEventListener("click", () => history.replaceState(null, "", `#query=${encodeURIComponent(query.id)}`));  // to come back to it
  return el("div", { className: "detail" },
    el("p", { className: "note" }, `${query.id} · from ${query.document}`, review ? " · " : null, review),
    query.question.length > SHORT ? block("Question", textBox(query.question)) : null,
    el("div", { className: "columns" }, why, twin ? other(query, twin) : null),
    el("div", { className: "columns" }, ...query.runs.map((run, at) => outcome(run, at))),
    block("Evidence", ...(query.readings || []).map(reading), claims(query),
      query.outside ? textBox(`Only the outside article gives the answer: ${query.outside}`) : null,
      query.verifier ? el("p", { className: "note" }, "Verifier: ", el("bdi", { textContent: query.verifier })) : null));
}

// The other half of the pair, with what became of it in each run.
function other(query, twin) {
  const button = el("button", { type: "button", className: "link", textContent: short(twin.question) });
  button.addEventListener("click", () => reveal(twin.id));
  return block(query.kind === "query" ? "Its answerable twin" : "The query that it is the twin of",
    el("p", { className: "text", dir: "auto" }, button),
    twin.reference ? el("p", { className: "note" }, "Reference: ", el("bdi", { textContent: short(twin.reference) })) : null,
    el("p", { className: "chips" }, ...outcomes(twin)));
}

// What became of a query in each run.
const outcomes = (query) => query.runs.map((run, at) => el("span", {}, swatch(at), chip(run.outcome, state(run.outcome))));

const swatch = (at) => (DATA.runs.length > 1
  ? el("span", { className: "swatch", style: `--run: var(--c${hue(at)})`, title: DATA.runs[at], role: "img", ariaLabel: DATA.runs[at] }) : null);

// Readings tell what their claims are about, so that these are folded below them.
function claims(query) {
  const all = (query.evidence || []).map(evidence);
  if (!all.length) return null;
  if (!query.readings) return el("div", {}, ...all);
  return el("details", {}, el("summary", {}, `Each answer as a claim (${all.length})`), ...all);
}

function reading(one) {
  return el("div", {}, el("p", { className: "text", dir: "auto", textContent: `Read as “${one.question}”: ${one.answer}` }),
    one.passage === undefined ? null : passage(one.passage));
}

function evidence(one) {
  return el("div", {}, textBox(`Claim: ${one.claim}`),
    el("p", { className: "note", textContent: `Outcome of the proof: ${one.outcome}. ${one.silent || "No"} passages found say nothing about the claim.` }),
    ...(one.supports || []).map((number) => passage(number, "supports")),
    ...(one.contradicts || []).map((number) => passage(number, "contradicts")));
}

function outcome(run, at) {
  const several = DATA.runs.length > 1;
  const chips = el("p", { className: "chips" },
    run.verdict ? chip(run.verdict, "") : null, chip(run.outcome, state(run.outcome)));
  const seconds = run.latency === undefined ? "" : ` after ${run.latency.toLocaleString("en", { maximumSignificantDigits: 3 })} s`;
  return el("div", { className: `box ${state(run.outcome)}` },
    several ? el("h3", {}, swatch(at), el("bdi", { textContent: DATA.runs[at] })) : null, chips,
    block(`Response${seconds}`, run.text ? textBox(run.text) : el("p", { className: "note", textContent: run.outcome === "blocked" ? "Stopped by a content filter." : "There is none." })),
    ...(run.judged || []).map((one) => block(`${words(one.metric)}: ${one.label}${votes(one)}`, textBox(one.rationale || "no rationale"))),
    run.fault ? block(`Cause: ${words(run.fault)}`, textBox(run.why || "")) : null,
    ...(run.troubles || []).map((trouble) => block("Error", textBox(trouble))),
    block(`Retrieved contexts (${(run.contexts || []).length})`, ...(run.contexts || []).map((number, rank) => passage(number, String(rank + 1)))),
    el("p", { className: "note" }, "Judge: ", el("bdi", { textContent: DATA.judges[at] })));
}

const votes = (one) => (one.votes ? ` (${Object.entries(one.votes).map(([label, count]) => `${label} ${count}`).join(", ")})` : "");

// Shows one query by its id, whatever is filtered.
function reveal(id) {
  const query = BY_ID.get(id);
  if (!query) { lead(`There is no query ${id} in this report.`); return; }
  if (!matching.includes(query)) { form.reset(); update(); }
  while (shown <= matching.indexOf(query)) showMore();
  const item = [...list.children].find((one) => one.dataset.id === id);
  if (item.childElementCount === 1) toggle(item, query);
  item.scrollIntoView({ block: "start" });
  item.firstElementChild.focus({ preventScroll: true });
}

// Keeps what is filtered in the address, so that it can be linked to and is there after a reload.
function remember() {
  const chosen = [...form.elements].filter((one) => one.name && one.value !== (one.options ? one.options[0].value : ""));
  const filters = new URLSearchParams(chosen.map((one) => [one.name, one.value]));
  history.replaceState(null, "", chosen.length ? `#show?${filters}` : location.href.split("#")[0]);
}

function refilter() {
  update();
  remember();
}

function choices(name, entries) {
  const select = form.elements[name];
  if (select) select.append(...entries.map(([key, text]) => new Option(text, key)));
}

const present = (of) => [...new Set(DATA.queries.flatMap(of))].sort();
choices("kind", present((query) => query.kind).map((name) => [name, KINDS[name]]));
choices("category", present((query) => query.category || "none").map((name) => [name, words(name)]));
choices("verdict", present((query) => query.runs.map((run) => run.verdict || "none")).map((name) => [name, name]));
choices("outcome", present((query) => query.runs.map((run) => run.outcome)).map((name) => [name, name]));
choices("cause", present((query) => query.runs.map((run) => run.fault).filter(Boolean)).map((name) => [name, words(name)]));
for (const name of ["verdict", "outcome", "cause"]) if (form.elements[name].length < 2) form.elements[name].parentElement.hidden = true;
choices("flip", [["any", "flipped"], ...present((query) => query.flips || []).map((pair) => {
  const [good, bad] = pair.split("-").map((at) => DATA.runs[Number(at)]);
  return [pair, `good in ${good}, bad in ${bad}`];
})]);

let waiting;
form.elements.search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(refilter, 120); });
form.addEventListener("change", refilter);
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("clear").addEventListener("click", () => { form.reset(); refilter(); });
more.addEventListener("click", showMore);
addEventListener("hashchange", openHash);

// Shows the queries that a figure is about: sets the filters, and leads to the list.
function show(where) {
  form.reset();
  for (const [name, text] of where) if (form.elements[name]) form.elements[name].value = text;
  update();
  lead();
}

// Leads to the list of queries, with a message if there is one.
function lead(message) {
  const count = document.getElementById("count");
  if (message) count.textContent = message;
  form.scrollIntoView();
  count.focus({ preventScroll: true });
}

// #query=<id> opens that query, #show?kind=…&category=… shows the queries behind a figure.
function openHash() {
  const hash = location.hash.slice(1);
  if (hash.startsWith("query=")) reveal(decodeURIComponent(hash.slice("query=".length)));
  if (hash.startsWith("show?")) show(new URLSearchParams(hash.slice("show?".length)));
}
addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (location.hash && link?.getAttribute("href") === location.hash) openHash();
});

// The table of flipped queries leads to them, and to all of them.
for (const cell of document.querySelectorAll("#flips tbody th")) {
  const query = BY_ID.get(cell.textContent);
  if (!query) continue;
  const button = el("button", { type: "button", className: "link", textContent: query.id });
  button.addEventListener("click", () => reveal(query.id));
  cell.replaceChildren(button);
}
if (document.querySelector("#flips table")) {
  const button = el("button", { type: "button", textContent: "Show every flipped query" });
  button.addEventListener("click", () => { show([["flip", "any"]]); remember(); });
  document.getElementById("flips").append(button);
}

update();
openHash();
