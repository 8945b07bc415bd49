// Text that others wrote, shown as text: never as markup, and with what hides or reorders spelled out.

const ODD = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e" +
    "\\u2028\\u2029\\u2060\\u2066-\\u2069\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}\\ud800-\\udfff]",
  "gu",
);

/** Make an element with attributes and children; strings among them become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children) made.append(...(typeof child === "string" ? shown(child) : [child]));
  return made;
}

/** Put `text` into `place`, instead of what is there. */
export function show(place, text) {
  place.replaceChildren(...shown(text));
}

/** Return nodes that show `text`, with `marks` (verbatim pieces of it) highlighted. */
export function shown(text, marks = []) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of spans(text, marks)) {
    const mark = document.createElement("mark");
    mark.append(...spelled(text.slice(start, end)));
    nodes.push(...spelled(text.slice(at, start)), mark);
    at = end;
  }
  return [...nodes, ...spelled(text.slice(at))];
}

/** Say where `marks` stand in `text`, overlapping ones as one. */
function spans(text, marks) {
  const found = marks
    .map((mark) => [text.indexOf(mark), mark.length])
    .filter(([start, length]) => start >= 0 && length > 0)
    .map(([start, length]) => [start, start + length])
    .sort((a, b) => a[0] - b[0]);
  const merged = [];
  for (const [start, end] of found) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function spelled(raw) {
  const text = raw.replace(/\r\n?/g, "\n");
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(ODD)) {
    const odd = document.createElement("span");
    odd.className = "odd";
    odd.textContent = "U+" + match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(text.slice(at, match.index), odd);
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}
