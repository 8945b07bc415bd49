// Small parts of the page. Text from outside only ever becomes a text node.

function el(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const SHORT = 300;  // characters of a name or question in a list or link
const short = (text) => (text.length > SHORT ? `${text.slice(0, SHORT)} …` : text);

const LONG = 2000;  // characters of a text that are shown at once

function textBox(text, properties = {}) {
  const box = el("p", { className: "text", dir: "auto", ...properties });
  if (text.length <= LONG) { box.textContent = text; return box; }
  const all = el("button", { type: "button", className: "link", textContent: `show all ${text.length.toLocaleString("en")} characters` });
  all.addEventListener("click", () => { box.textContent = text; });
  box.append(`${text.slice(0, LONG)} … `, all);
  return box;
}

function passage(number, label = "") {
  const known = DATA.passages[number];
  const name = short([known.title, known.id].filter(Boolean).join(" · ") || "passage without a name");
  const box = el("details", { className: "passage" }, el("summary", {}, label ? `${label}: ` : "", el("bdi", { textContent: name })));
  box.addEventListener("toggle", () => { if (box.childElementCount === 1) box.append(textBox(known.text)); });
  return box;
}

function block(title, ...children) {
  const parts = children.filter(Boolean);
  return parts.length ? el("div", {}, el("h4", { textContent: title }), ...parts) : null;
}
