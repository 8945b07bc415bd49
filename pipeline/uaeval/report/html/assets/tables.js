// Tables: a click on a head sorts by its column, and a button copies the whole as text with tabs.

const UNKNOWN = "–";

function number(text) {
  const match = text.replace(/,(?=\d{3})/g, "").replace(/−/g, "-").match(/[-+]?\d+(\.\d+)?/);
  return match ? Number(match[0]) : NaN;
}

function sortBy(table, column, head) {
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = (row) => row.cells[column].textContent.trim();
  const numeric = head.classList.contains("number");
  const compare = (a, b) => (numeric ? number(a) - number(b) : a.localeCompare(b, undefined, { numeric: true }));
  const unknown = (value) => value === UNKNOWN || (numeric && Number.isNaN(number(value)));
  const rows = [...table.tBodies[0].rows].map((row) => [text(row), row]);
  rows.sort(([a], [b]) => unknown(a) - unknown(b) || (unknown(a) ? 0 : compare(a, b) * (up ? 1 : -1)));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

async function copy(table, button) {
  const lines = [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()).join("\t"));
  let message = "Copied";
  try {
    await navigator.clipboard.writeText(lines.join("\n"));
  } catch {
    getSelection().selectAllChildren(table);
    message = "Selected: copy it with the keyboard";
  }
  button.textContent = message;
  setTimeout(() => { button.textContent = "Copy table"; }, 2000);
}

// What a column holds is shown below its head while this has the pointer or the focus, or was pressed.
const tip = document.createElement("div");
Object.assign(tip, { id: "tip", role: "tooltip", hidden: true });
document.body.append(tip);
let described = null; // the head whose tip is shown

function showTip(head) {
  hideTip();
  described = head;
  tip.textContent = head.dataset.tip;
  tip.hidden = false;
  head.querySelector("button").setAttribute("aria-describedby", tip.id);
  placeTip();
}

function placeTip() {
  if (!described) return;
  const { left, bottom, top } = described.getBoundingClientRect(), high = tip.offsetHeight;
  tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${bottom + high < innerHeight ? bottom : top - high}px`;
}

function hideTip() {
  described?.querySelector("button").removeAttribute("aria-describedby");
  described = null;
  tip.hidden = true;
}

function describe(head, button) {
  head.dataset.tip = head.title;
  head.removeAttribute("title");
  const leave = ({ relatedTarget: to }) => { if (described === head && to !== tip && !head.contains(to)) hideTip(); };
  for (const event of ["pointerenter", "click"]) head.addEventListener(event, () => showTip(head));
  button.addEventListener("focus", () => { if (button.matches(":focus-visible")) showTip(head); });
  head.addEventListener("pointerleave", leave);
  button.addEventListener("blur", leave);
}

tip.addEventListener("pointerleave", hideTip);
addEventListener("scroll", placeTip, { capture: true, passive: true });
addEventListener("keydown", ({ key }) => { if (key === "Escape") hideTip(); });

for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, column, head));
    if (head.title) describe(head, button);
  });
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy table";
  button.addEventListener("click", () => copy(table, button));
  table.closest(".table").append(button);
}

// On paper everything that is folded is open.
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open], .passage)")) {
    one.open = true;
    one.dataset.opened = "print";
  }
  BOXES.forEach(draw);
});
addEventListener("afterprint", () => document.querySelectorAll("[data-opened=print]").forEach((one) => {
  one.open = false; delete one.dataset.opened;
}));
