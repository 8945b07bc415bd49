// The results of a task, as tables.

import { element } from "./text.js";

/** Return the nodes that show `results`; `settle(place, word)` is called to resolve a disagreement. */
export function figures(results, settle) {
  const whose = results.finished
    ? "You have labelled the whole sample; this is what all annotators say."
    : results.tables.length
      ? "Your own labels so far. What others say is shown once you have labelled the whole sample."
      : "You have not labelled anything yet. Your own labels are shown here first, then what others say.";
  return [
    element("p", { class: "quiet" }, whose),
    ...results.tables.map((each) => table(each.title, each.columns, each.rows, each.numbers, each.note)),
    ...(results.disagreements.length ? [disagreements(results.disagreements, settle)] : []),
  ];
}

function disagreements(disputed, settle) {
  const rows = disputed.map((item) => [
    element("bdi", {}, item.question || item.item),
    element("div", {}, ...Object.entries(item.labels).map(label)),
    item.place === null ? item.resolution ?? "not in this sample" : choices(item, settle),
  ]);
  return table("Disagreements", ["item", "labels", "resolution"], rows, []);
}

function label([name, [word, reason]]) {
  return element("p", {}, element("bdi", {}, name), `: ${word}${reason ? ` (${reason})` : ""}`);
}

function choices(item, settle) {
  const buttons = item.words.map((word) => {
    const pressed = `${item.resolution === word}`;
    const button = element("button", { type: "button", "aria-pressed": pressed }, word);
    button.addEventListener("click", () => settle(item.place, word));
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
