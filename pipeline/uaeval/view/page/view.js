// Follows the runs, and leads from chosen evaluations to their comparison.

const INTERVAL = 2000; // milliseconds
const runs = document.getElementById("runs");
const compare = document.getElementById("compare");
const hint = document.getElementById("hint");
const alert = document.getElementById("alert");
const chosen = new Map(); // id of an evaluation: id of its run
let last = null; // the list as the server sent it; null before the first time

function showChosen() {
  const ids = [...chosen.keys()], several = new Set(chosen.values()).size > 1;
  compare.hidden = ids.length < 2 || several;
  compare.href = `reports/${ids.join("+")}`;
  compare.textContent = `Compare ${ids.length} evaluations`;
  hint.textContent = several ? "Evaluations of several datasets cannot be compared." : ids.length === 1 ? "Choose one more to compare." : ids.length || runs.querySelectorAll("input[type=checkbox]").length < 2 ? "" : "Tick two or more evaluations of one dataset to compare them.";
}

runs.addEventListener("change", ({ target }) => {
  if (target.checked) chosen.set(target.value, target.dataset.run);
  else chosen.delete(target.value);
  showChosen();
});

/** Put the new list in place; what was open, chosen, focused or scrolled stays so. */
function replace(text) {
  const open = [...runs.querySelectorAll("details[open]")].map((one) => one.id);
  const active = document.activeElement;
  const focused = runs.contains(active) ? active.getAttribute("href") ?? active.value ?? active.getAttribute("aria-label") : null;
  const scrolled = new Map([...runs.querySelectorAll(".scroll")].map((one) => [one.getAttribute("aria-label"), one.scrollLeft]));
  const parsed = new DOMParser().parseFromString(text, "text/html");
  runs.replaceChildren(...parsed.body.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const one of runs.querySelectorAll(".scroll")) one.scrollLeft = scrolled.get(one.getAttribute("aria-label")) ?? 0;
  watchWidths();
  const boxes = [...runs.querySelectorAll("input[type=checkbox]")];
  for (const id of chosen.keys()) if (!boxes.some((one) => one.value === id)) chosen.delete(id);
  for (const one of boxes) one.checked = chosen.has(one.value);
  if (focused !== null) {
    const candidates = [...runs.querySelectorAll("a, input, [tabindex]")];
    candidates.find((one) => [one.getAttribute("href"), one.value, one.getAttribute("aria-label")].includes(focused))?.focus({ preventScroll: true });
  }
  showChosen();
}

async function follow() {
  try {
    const reply = await fetch("runs");
    if (!reply.ok) throw new Error(`the server replied ${reply.status}`);
    const text = await reply.text();
    if (text !== last) replace(text);
    last = text;
    alert.hidden = true;
  } catch (error) {
    alert.hidden = false;
    alert.textContent = `The list is not up to date: ${error.message}. Is uaeval view still running?`;
  }
}

// Where the browser goes back to this page, it ticks the boxes again.
addEventListener("pageshow", () => {
  for (const one of runs.querySelectorAll("input:checked")) chosen.set(one.value, one.dataset.run);
  showChosen();
});
setInterval(() => { if (!document.hidden) follow(); }, INTERVAL);
showChosen();
