// The results of a task, as tables.

import { element } from "./text.js";

const DASH = "–";
const percent = (value) => (value === null ? DASH : (100 * value).toFixed(1));
const people = (name) => name.replaceAll("_", " ");

/** Return the nodes that show `found`; `settle(place, word)` is called to end a disagreement. */
export function figures(found, settle) {
  const whose = found.finished
    ? "You have labelled the whole sample; this is what all annotators say."
    : "Your own labels so far. What others say is shown once you have labelled the whole sample.";
  return [
    element("p", { class: "quiet" }, whose),
    counts(found.counts),
    ...(found.validity.length ? [validity(found.validity)] : []),
    ...(found.agreement.length ? [agreement(found.agreement)] : []),
    ...(found.disagreements.length ? [disagreements(found.disagreements, settle)] : []),
  ];
}

function counts(said) {
  const words = [...new Set(Object.values(said).flatMap(Object.keys))].sort();
  const row = ([name, of]) => [name, ...words.map((word) => `${of[word] ?? 0}`)];
  return table("Labels", ["annotator", ...words], Object.entries(said).map(row), 1);
}

function validity(scores) {
  const rows = scores.map((one) => [
    people(one.group),
    percent(one.value),
    one.low === null ? DASH : `${percent(one.low)}–${percent(one.high)}${one.reliable ? "" : " *"}`,
    `${one.n}`,
    `${one.errors}`,
    one.errors ? `${percent(one.worst)} to ${percent(one.best)}` : DASH,
  ]);
  const columns = ["group", "valid %", "95 %", "labelled", "open", "worst to best %"];
  const note = "Open: annotators are unsure, or at odds. "
    + "Overall: unanswerable queries, each weighed by the inverse of its chance to be drawn. "
    + "* unreliable interval: fewer than 20 source documents, or all of them agree.";
  return table("Validity by category", columns, rows, 1, note);
}

function agreement(pairs) {
  const rows = pairs.map((one) => [
    `${one.first}, ${one.second}`,
    one.kind,
    `${one.n}`,
    `${one.same}`,
    one.kappa === null ? DASH : one.kappa.toFixed(2),
  ]);
  const columns = ["annotators", "of", "both labelled", "same", "Cohen's kappa"];
  const note = "Unsure is a label of its own. A dash: only one label occurs.";
  return table("Agreement between annotators", columns, rows, 2, note);
}

function disagreements(disputed, settle) {
  const rows = disputed.map((one) => [
    element("bdi", {}, one.question || one.item),
    element("div", {}, ...Object.entries(one.said).map(said)),
    one.place === null ? one.settled ?? "not in this sample" : words(one, settle),
  ]);
  return table("Disagreements", ["item", "said", "what holds"], rows, 3);
}

function said([name, [word, reason]]) {
  return element("p", {}, element("bdi", {}, name), `: ${word}${reason ? ` (${reason})` : ""}`);
}

function words(one, settle) {
  const buttons = one.words.map((word) => {
    const pressed = `${one.settled === word}`;
    const button = element("button", { type: "button", "aria-pressed": pressed }, word);
    button.addEventListener("click", () => settle(one.place, word));
    return button;
  });
  return element("div", { class: "choices small" }, ...buttons);
}

/** Make a table; columns from `numbers` on are set flush right. */
function table(caption, columns, rows, numbers, note) {
  const kind = (place) => (place >= numbers ? { class: "number" } : {});
  const head = columns.map((name, place) => element("th", { scope: "col", ...kind(place) }, name));
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((cell, place) => element("td", kind(place), cell))));
  const made = element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  const frame = { class: "scroll", tabindex: "0", role: "region", "aria-label": caption };
  const foot = note ? [element("p", { class: "quiet" }, note)] : [];
  return element("div", {}, element("div", frame, made), ...foot);
}
