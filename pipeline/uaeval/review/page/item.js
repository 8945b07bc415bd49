// Drawing one item, and the label that it has.

import { element, show, shown } from "./text.js";

const at = (id) => document.getElementById(id);

/** Draw what is asked, what it rests on, and what verifier or judge said, if that may be seen. */
export function drawItem(item) {
  show(at("question"), item.question);
  show(at("guide-title"), item.guide.title);
  show(at("to-rules"), `Rules · ${item.guide.title}`);
  // On a narrow page the rules for a judgement, which are long, come after what is judged.
  at("review").classList.toggle("item-first", item.kind !== "query");
  at("guide").replaceChildren(...item.guide.lines.map((line) => rule(line, item)));
  at("hints").replaceChildren(...item.choices.filter((one) => hint(item, one)).map((one) =>
    element("div", {}, element("dt", {}, `${one.word}:`), " ", element("dd", {}, one.hint))));
  show(at("asked"), item.task);
  const contexts = item.blocks.filter((one) => one.kind === "context");
  const others = item.blocks.filter((one) => one.kind !== "context");
  at("blocks").replaceChildren(...others.map(block));
  at("contexts").hidden = !contexts.length;
  at("contexts").open = false;
  show(at("contexts-title"), `What the system retrieved (${contexts.length})`);
  at("contexts-list").replaceChildren(...contexts.map(block));
  const whose = item.kind === "query" ? "The verifier's opinion" : "The judge's opinion";
  const hidden = element("p", { class: "quiet" }, "Hidden until you have decided.");
  const opinions = item.opinions === null ? [hidden] : item.opinions.map(block);
  at("opinions").replaceChildren(element("h3", {}, whose), ...opinions);
  for (const text of document.querySelectorAll(".text")) {
    // What is shown whole needs no stop for the keyboard.
    if (text.clientHeight && text.scrollHeight <= text.clientHeight) text.removeAttribute("tabindex");
  }
}

/** Make a line of the guidelines, with the choice that it explains in bold. */
function rule(line, item) {
  const word = item.choices.map((one) => one.word).find((one) => line.startsWith(`${one}: `));
  return word ? element("p", {}, element("strong", {}, word), line.slice(word.length)) : element("p", {}, line);
}

/** Return the hint of a choice; it has none if the guidelines explain its word. */
function hint(item, one) {
  return item.guide.lines.some((line) => line.startsWith(`${one.word}: `)) ? "" : one.hint;
}

function block(one) {
  const name = one.kind === "passage" ? `Knowledge base: ${one.title}` : one.title;
  const frame = { class: "text", dir: "auto", tabindex: "0", role: "group", "aria-label": name };
  const text = element("div", frame);
  text.append(...(one.kind === "list" ? [list(one)] : shown(one.text, one.marks)));
  const title = element("h3", {}, element("bdi", {}, name));
  return element("div", { class: `block ${one.kind}` }, title, text);
}

function list(one) {
  return element("ul", {}, ...one.text.split("\n").map((line) => element("li", {}, line)));
}

/** Draw the choices and what has been chosen; `say(change)` is called for a choice. */
export function drawLabel(item, say) {
  const label = item.label;
  const focused = document.activeElement?.dataset?.key;
  at("choices").replaceChildren(...item.choices.map((one) =>
    choice(one.word, one.key, hint(item, one), label?.word === one.word, () => say({ word: one.word }))));
  at("details").hidden = !label;
  at("right").hidden = label?.word !== "invalid";
  at("categories").replaceChildren(...Object.entries(item.categories).map(([name, key]) =>
    choice(name.replaceAll("_", " "), key, "", label?.category === name, () => say(rather(item, name)))));
  if (document.activeElement !== at("reason")) at("reason").value = label?.reason ?? "";
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** Return the change that makes `name` the right category, or takes it back. */
export function rather(item, name) {
  return { word: "invalid", category: item.label?.category === name ? null : name };
}

function choice(name, key, hint, pressed, action) {
  const parts = [name, " ", element("kbd", {}, key), ...(hint ? [element("small", {}, hint)] : [])];
  const state = { type: "button", "aria-pressed": `${pressed}`, "data-key": key };
  const button = element("button", state, ...parts);
  button.addEventListener("click", action);
  return button;
}
