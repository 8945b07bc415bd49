// The results of a task, as tables.

import { element } from "./text.js";

/** Return the nodes that show `found`; `settle(place, word)` is called to end a disagreement. */
export function figures(found, settle) {
  const whose = found.finished
    ? "You have labelled the whole sample; this is what all annotators say."
    : "Your own labels so far. What others say is shown once you have labelled the whole sample.";
  return [
    element("p", { class: "quiet" }, whose),
    ...found.tables.map((one) => table(one.title, one.columns, one.rows, one.numbers, one.note)),
    ...(found.disagreements.length ? [disagreements(found.disagreements, settle)] : []),
  ];
}

function disagreements(disputed, settle) {
  const rows = disputed.map((one) => [
    element("bdi", {}, one.question || one.item),
    element("div", {}, ...Object.entries(one.said).map(said)),
    one.place === null ? one.settled ?? "not in this sample" : words(one, settle),
  ]);
  return table("Disagreements", ["item", "said", "what holds"], rows, []);
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

/** Make a table; where `numbers` holds, a column is set flush right. */
function table(caption, columns, rows, numbers, note) {
  const kind = (place) => (numbers[place] ? { class: "number" } : {});
  const head = columns.map((name, place) => element("th", { scope: "col", ...kind(place) }, name));
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((cell, place) => element("td", kind(place), cell))));
  const made = element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  const frame = { class: "scroll", tabindex: "0", role: "region", "aria-label": caption };
  const foot = note ? [element("p", { class: "quiet" }, note)] : [];
  return element("div", {}, element("div", frame, made), ...foot);
}
