// One item at a time: which is shown, and what a choice does.

import { figures } from "./figures.js";
import { drawItem, drawLabel, rather } from "./item.js";
import { listen } from "./keys.js";
import * as server from "./server.js";
import { element, show } from "./text.js";

const at = (id) => document.getElementById(id);
const tell = (text) => show(at("status"), text);
const UNLABELLED = "unlabelled";
const QUERIES = "queries"; // the title of the task about the queries themselves
const TYPING = 300; // milliseconds after the last key until a reason is saved

let tasks = [];
let task = 0;
let place = 0;
let item = null; // what the server says of the item that is shown
let source = ""; // the address of the page of the queries, if there is one
let typing = null; // the timer of a reason that is not saved yet
let queue = Promise.resolve(); // one request after the other, in the order of the clicks

const items = () => tasks[task].items;

/** Do `work` after what is under way; tell what goes wrong. */
function then(work) {
  queue = queue.then(work).then(
    () => { at("alert").hidden = true; },
    (error) => {
      at("alert").hidden = false;
      show(at("alert"), error.message);
      tell("");
    },
  );
  return queue;
}

// Which items are looked at

function matches(one) {
  const [group, word, find] = ["group", "word", "find"].map((id) => at(id).value);
  return (!group || one.group === group) &&
    (!word || (one.word ?? UNLABELLED) === word) &&
    `${one.question}\n${one.id}`.toLowerCase().includes(find.toLowerCase());
}

/** Open the next item in `direction` that matches the filter. */
function go(direction) {
  then(async () => {
    let next = place + direction;
    while (next in items() && !matches(items()[next])) next += direction;
    if (next in items()) await open(next);
    else tell(direction > 0 ? "This is the last one." : "This is the first one.");
  });
}

/** Open the next item without a label, from the top again after the last. */
function nextOpen() {
  then(async () => {
    const left = items().map((one, number) => [one, number])
      .filter(([one]) => one.word === null && matches(one)).map(([, number]) => number);
    const next = left.find((number) => number > place) ?? left[0];
    if (next === undefined) tell("Nothing is left to label here; see Results.");
    else await open(next);
  });
}

function filtered() {
  then(async () => {
    const next = matches(items()[place]) ? place : items().findIndex(matches);
    if (next === -1) drawProgress();
    else await open(next);
    tell(next === -1 ? "Nothing matches the filter." : "");
  });
}

// Drawing

async function open(next) {
  await flush();
  item = await server.item(task, next);
  at("intro").open = false;
  place = next;
  history.replaceState(null, "", `#${task}/${place}`);
  draw();
  tell(item.label ? "Saved." : "");
  scrollTo(0, 0);
}

function draw() {
  drawProgress();
  show(at("place"), `${place + 1} of ${items().length}${item.id && ` · ${item.id}`}`);
  drawSource();
  drawItem(item);
  drawLabel(item, say);
}

/** Lead to the query on its page, which tells what one may know after deciding. */
function drawSource() {
  const id = item.id.split("/")[0];
  at("source").hidden = !source || !id || item.opinions === null;
  at("source").href = `${source}#query=${encodeURIComponent(id)}`;
}

function drawProgress() {
  const list = items();
  const done = list.filter((one) => one.word !== null).length;
  const seen = list.filter(matches).length;
  at("progress").max = list.length;
  at("progress").value = done;
  const filter = seen < list.length ? `, ${seen} match the filter` : "";
  show(at("count"), `${done} of ${list.length} labelled${filter}`);
}

// Deciding

/** Save a change of the label of the item that is shown. */
function say(change) {
  then(async () => {
    if (!item.choices.some((choice) => choice.word === change.word)) return;
    await save(change);
    draw();
  });
}

async function save(change) {
  clearTimeout(typing);
  typing = null;
  item = await server.label(task, place, changed(change));
  items()[place].word = item.label.word;
  tell("Saved.");
}

function changed(change) {
  const before = item.label ?? { word: null, category: null };
  const now = { ...before, reason: at("reason").value.toWellFormed(), ...change };
  return now.word === "invalid" ? now : { ...now, category: null };
}

/** Save a reason that is still being typed. */
async function flush() {
  if (typing !== null) await save({});
}

function typed() {
  clearTimeout(typing);
  tell("Saving …");
  typing = setTimeout(() => then(flush), TYPING);
}

function undo() {
  then(async () => {
    await flush();
    const done = await server.undo(task);
    tasks[task].items = done.items;
    if (done.place !== null) await open(done.place);
    tell(done.undone ? "Your last step is undone." : "There is nothing to undo.");
  });
}

function toRules() {
  at("defined").scrollIntoView();
  at("guide-title").focus({ preventScroll: true });
}

// Results

const inResults = () => !at("results").hidden;

function toResults() {
  then(async () => {
    await flush();
    drawResults(await server.results(task));
    at("review").hidden = at("filters").hidden = true;
    at("results").hidden = false;
    at("results-title").focus();
  });
}

function drawResults(found) {
  show(at("results-title"), `Results: ${tasks[task].title}`);
  at("figures").replaceChildren(...figures(found, settle));
}

function settle(where, word) {
  then(async () => drawResults(await server.settle(task, where, { word })));
}

function toReview() {
  at("results").hidden = true;
  at("review").hidden = at("filters").hidden = false;
}

// Starting, and going on after a reload

async function choose(number, wanted) {
  await flush();
  task = number;
  at("task").value = `${number}`;
  at("find").value = "";
  const groups = [...new Set(items().map((one) => one.group))].sort();
  fill(at("group"), ["", ...groups], (name) => name.replaceAll("_", " ").replace(/^controls$/, "twins") || "all");
  fill(at("word"), ["", UNLABELLED, ...tasks[task].words], (name) => name || "all");
  const left = items().findIndex((one) => one.word === null);
  await open(wanted in items() ? wanted : Math.max(0, left));
  introduce();
  if (inResults()) drawResults(await server.results(task));
}

/** Say what to do, at length if nothing of the task is labelled. */
function introduce() {
  const queries = tasks[task].title === QUERIES;
  at("intro-queries").hidden = !queries;
  at("intro-judgements").hidden = queries;
  show(at("whose"), queries ? "the verifier" : "the judge");
  at("intro").open = matchMedia("(min-width: 52rem)").matches && items().every((one) => one.word === null);
}

/** Open what the address names: `task/place`, or `query=id`. */
async function fromAddress(hash) {
  const id = hash.startsWith("query=") ? decodeURIComponent(hash.slice("query=".length)) : null;
  if (id === null) {
    const [number, wanted] = hash.split("/").map(Number);
    await choose(number in tasks ? number : 0, wanted);
    return;
  }
  const number = Math.max(0, tasks.findIndex((one) => one.title === QUERIES));
  const wanted = tasks[number].items.findIndex((one) => one.id === id);
  await choose(number, wanted);
  if (wanted === -1) tell(`${id} is not in this sample.`);
}

function fill(select, values, name) {
  select.replaceChildren(...values.map((value) => element("option", { value }, name(value))));
}

function actions() {
  if (inResults()) return { s: toReview, Escape: toReview };
  const words = item.choices.map(({ key, word }) => [key, () => say({ word })]);
  const names = Object.entries(item.label?.word === "invalid" ? item.categories : {});
  const right = names.map(([name, key]) => [key, () => say(rather(item, name))]);
  return {
    j: () => go(1), ArrowRight: () => go(1), k: () => go(-1), ArrowLeft: () => go(-1),
    Enter: nextOpen, z: undo, s: toResults,
    "/": () => at("find").focus(),
    w: () => at("reason").focus(),
    ...Object.fromEntries([...words, ...right]),
  };
}

function connect() {
  const clicks = {
    back: () => go(-1), on: () => go(1), open: nextOpen, undo,
    "to-results": toResults, "to-review": toReview, "to-rules": toRules,
  };
  for (const [id, action] of Object.entries(clicks)) at(id).addEventListener("click", action);
  at("task").addEventListener("change", () => then(() => choose(Number(at("task").value), null)));
  for (const id of ["group", "word"]) at(id).addEventListener("change", filtered);
  at("find").addEventListener("input", filtered);
  at("reason").addEventListener("input", typed);
  at("reason").addEventListener("blur", () => then(flush));
  addEventListener("pagehide", () => {
    if (typing !== null) server.label(task, place, changed({}));
  });
  addEventListener("beforeprint", () => { at("contexts").open = true; });
  listen(at("shortcuts"), actions);
}

then(async () => {
  const found = await server.review();
  tasks = found.tasks;
  show(at("run"), found.run);
  document.title = `Review of ${at("run").textContent}`;
  for (const id of ["annotator", "name"]) show(at(id), found.annotator);
  at("definitions").replaceChildren(...Object.entries(found.definitions).map(([name, text]) =>
    element("div", {}, element("dt", {}, `${name}:`), " ", element("dd", {}, text))));
  at("intro-blind").hidden = !found.blind;
  source = found.source;
  if (found.home) Object.assign(at("home"), { href: found.home, hidden: false });
  show(at("mode"), found.blind ? "; opinions are hidden until you decide" : "; opinions are shown");
  const title = (number) => `${tasks[number].title} (${tasks[number].items.length} of ${tasks[number].of})`;
  fill(at("task"), Object.keys(tasks), title);
  await fromAddress(location.hash.slice(1));
  connect();
  document.body.dataset.ready = "yes";
});
