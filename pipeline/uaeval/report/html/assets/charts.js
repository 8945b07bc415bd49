// Draws the charts with Observable Plot, at the width that there is. All text in a chart is set
// by Plot as text; colours are those of the style sheet, so that they follow light and dark.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
for (const each of [DATA, ...DATA.queries]) each.runs ??= [];  // the page of a dataset has none
const COLOURS = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)"];
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "cross"];
// On a page of several runs each has one colour and one shape; whatever else is drawn has others,
// while there are any.
const SEVERAL = DATA.runs.length > 1;
const RUN_COLOURS = runColours(DATA.runs);
const hue = (run) => RUN_COLOURS[run] % COLOURS.length;
const TAKEN = new Set(SEVERAL ? DATA.runs.map((_, run) => hue(run)) : []);
const OTHERS = [...COLOURS.keys()].sort((a, b) => TAKEN.has(a) - TAKEN.has(b));
const SIGNIFICANCE = { significant: "var(--ink)", "not significant": "var(--quiet)" };
for (const one of document.querySelectorAll("[data-of], [data-run]")) one.style.setProperty("--run", COLOURS[hue(one.dataset.of ?? one.dataset.run)]);

// The colour of a run follows from its name, so that it is the same in all reports: 0 to 5, in the
// next six runs 6 to 11, which look alike and have other shapes. If names have the same, the first in
// the alphabet keeps it, and the others have the next that is free.
function runColours(names) {
  const all = COLOURS.length, given = new Map();
  const own = (name) => [...name].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 65521, 0);
  for (const [at, name] of [...names].sort().entries()) {
    const taken = new Set(given.values()), first = at - (at % all);
    const steps = COLOURS.map((_, step) => first + ((own(name) + step) % all));
    given.set(name, steps.find((colour) => !taken.has(colour)));
  }
  return names.map((name) => given.get(name));
}

function place(chart, name) {
  if (chart.options.runs && SEVERAL) return RUN_COLOURS[DATA.runs.indexOf(name)];
  if (chart.run !== undefined && chart.series.length < 2) return RUN_COLOURS[chart.run];
  return OTHERS[Math.max(0, chart.series.indexOf(name)) % OTHERS.length];
}
const colour = (chart, name) => (chart.options.ratio === false && SIGNIFICANCE[name]) || COLOURS[place(chart, name) % COLOURS.length];
const shape = (chart, name) => (chart.options.ratio === false ? "circle" : SHAPES[turned(place(chart, name)) % SHAPES.length]);
const turned = (at) => at + Math.floor(at / SHAPES.length); // one of the same colour has the next shape
const seriesOf = (chart, one) => (chart.options.runs ? one.row : one.series);

// The address that shows the queries behind a mark; `undefined` where there are none to show.
function address(chart, one) {
  if (!one.where) return undefined;
  const run = chart.options.runs && SEVERAL ? DATA.runs.indexOf(one.row) : chart.run;
  return `#show?${new URLSearchParams({ ...one.where, ...(run === undefined ? {} : { run }) })}`;
}
const inPercent = (value) => `${Math.round(100 * value)}`;
const rowsOf = (chart) => [...new Set(chart.rows.map((one) => one.row))];

// Rows, each a facet: its name beside it where there is room, above it on a narrow page. Grid and
// rules are drawn inside of the facets, so that none crosses a name.
function named(names, width, high, last) {
  const wide = 22 + 7 * Math.max(...names.map((name) => name.length)), above = wide >= 0.4 * width;
  const step = high + (above ? 16 : 0), padding = above ? 24 / step : 0; // a name takes 24 pixels
  const text = Plot.text(names, { fy: (name) => name, text: (name) => name, frameAnchor: "top-left", dy: -16, fill: "currentColor" });
  return {
    frame: { width, marginLeft: above ? 12 : wide, marginTop: above ? 22 : 6, marginRight: last, marginBottom: 44,
             height: names.length * step + 50 + (above ? 16 : 0) },
    fy: { domain: names, label: null, axis: above ? null : "left", tickSize: 0, tickPadding: 10, paddingInner: padding, paddingOuter: 0 },
    marks: above ? [text] : [],
  };
}

// Runs with nearly the same figures are drawn one within the other: how many lie upon each. The
// names of those that lie together are in `groups`.
const NEAR = 0.02;
function nested(chart) {
  const nameOf = (one) => one.series ?? one.row, depth = new Map(), groups = [];
  const points = new Map(chart.rows.map((one) => [nameOf(one), chart.rows.filter((other) => nameOf(other) === nameOf(one))]));
  const apart = (a, b) => Math.hypot(a.x - b.x, (a.y ?? a.value) - (b.y ?? b.value));
  const near = (one, other) => points.get(one).length === points.get(other).length
    && points.get(one).every((a, at) => apart(a, points.get(other)[at]) < NEAR);
  for (const name of [...points.keys()].reverse()) {
    const upon = [...depth.keys()].filter((other) => near(name, other));
    depth.set(name, Math.max(-1, ...upon.map((other) => depth.get(other))) + 1);
    const group = groups.find((names) => names.some((other) => upon.includes(other)));
    if (group) group.unshift(name); else groups.push([name]);
  }
  return { depth: (name) => depth.get(name), groups: groups.filter((names) => names.length > 1) };
}

const DRAWN = {
  // rows: {row, series, value, low, high, unreliable, text, where}; ratios from 0 to 1, or differences around 0.
  dots(chart, width) {
    const rows = named(rowsOf(chart), width, 28, 14), ink = (one) => colour(chart, seriesOf(chart, one));
    return Plot.plot({
      ...rows.frame, fy: rows.fy,
      x: { label: chart.axes[0], labelArrow: "none", grid: true, tickFormat: inPercent, nice: true,
           ticks: width < 420 ? 4 : 6, domain: chart.options.ratio ? [0, 1] : reach(chart.rows) },
      symbol: { type: "identity" },
      marks: [
        chart.options.ratio ? null : Plot.ruleX([0], { stroke: "var(--quiet)" }),
        Plot.ruleY(chart.rows, {
          x1: "low", x2: "high", y: null, fy: "row", stroke: ink, strokeWidth: (one) => (one.unreliable ? 1.25 : 2.5),
        }),
        Plot.dot(chart.rows, {
          x: "value", fy: "row", r: 5, symbol: (one) => shape(chart, seriesOf(chart, one)), stroke: ink, strokeWidth: 1.5,
          fill: (one) => (one.unreliable ? "var(--paper)" : ink(one)), href: (one) => address(chart, one),
          title: (one) => `${one.row}: ${one.text}`,
        }),
        ...rows.marks,
      ],
    });
  },

  // rows: {row, part, value}; counts.
  stack(chart, width) {
    const rows = named(rowsOf(chart), width, 26, 30);
    return Plot.plot({
      ...rows.frame, fy: rows.fy,
      x: { label: chart.axes[0], labelArrow: "none", grid: true, ticks: width < 420 ? 3 : 6 },
      marks: [
        Plot.barX(chart.rows, {
          x: "value", fy: "row", fill: (one) => colour(chart, one.part), order: chart.series, z: "part",
          insetTop: 3, insetBottom: 3, insetLeft: 0.75, insetRight: 0.75, rx: 2, href: (one) => address(chart, one), title: (one) => `${one.row}: ${one.part} ${one.value}`,
        }),
        Plot.text(chart.rows, Plot.groupZ({ x: "sum", text: "sum" }, {
          x: "value", fy: "row", z: null, text: "value", textAnchor: "start", dx: 5, fill: "currentColor",
        })),
        Plot.ruleX([0], { stroke: "var(--quiet)" }),
        ...rows.marks,
      ],
    });
  },

  // rows: {series, x, value}; options.used: {series, x, value, low, high, text} at the weight in use.
  curve(chart, width) {
    const paint = { stroke: (one) => colour(chart, one.series), z: "series" };
    const { depth } = nested(chart), step = Math.min(15, 90 / chart.series.length);
    const beside = (one) => step * (chart.series.indexOf(one.series) - (chart.series.length - 1) / 2);
    const y = { label: chart.axes[1], labelArrow: "none", domain: [0, 1], grid: true, tickFormat: inPercent };
    return Plot.plot({
      width, height: 220, marginTop: 24, marginRight: 20, marginBottom: 44,
      x: { label: width < 420 ? "w1" : chart.axes[0], labelArrow: "none", domain: [0, 1], ticks: 5 }, y,
      symbol: { type: "identity" },
      marks: [
        Plot.ruleX(chart.options.used.slice(0, 1), { x: "x", stroke: "var(--quiet)", strokeDasharray: "4,4" }),
        Plot.lineY(chart.rows, { x: "x", y: "value", ...paint, strokeWidth: (one) => 2.5 + 4.5 * depth(one.series) }),
        ...chart.options.used.flatMap((one) => [
          Plot.ruleX([one], { x: "x", y1: "low", y2: "high", dx: beside(one), ...paint, strokeWidth: 2.5 }),
          Plot.dot([one], {
            x: "x", y: "value", dx: beside(one), r: 5, symbol: () => shape(chart, one.series), strokeWidth: 1.5,
            fill: one.unreliable ? "var(--paper)" : colour(chart, one.series), stroke: colour(chart, one.series), title: `${one.series} at w1 = ${one.x}: ${one.text}`,
          }),
        ]),
      ],
    });
  },

  // rows: {row, x, y, whole, xlow, xhigh, ylow, yhigh, text}. The axes of categories begin where there is
  // something, and say so.
  plane(chart, width) {
    const whole = chart.rows.filter((one) => one.whole), side = Math.min(width, 400);
    const axis = (name, keys) => {
      const domain = chart.options.runs ? [0, 1] : extent(chart.rows, keys), [from, to] = domain.map(inPercent);
      const label = from === "0" && to === "100" ? name : `${name} (axis from ${from} to ${to})`;
      return { label, labelArrow: "none", domain, grid: true, tickFormat: inPercent, ticks: 5 };
    };
    const { depth } = nested(chart), wide = (one) => (chart.options.runs ? 4 * depth(one.row) : 0);
    const all = COLOURS[chart.run === undefined ? 1 : hue(chart.run)], each = COLOURS[OTHERS[0]];
    const paint = (one) => (chart.options.runs ? colour(chart, one.row) : one.whole ? all : each);
    const shown = {
      width, height: side, marginTop: 28, marginRight: 44, marginBottom: 44, marginLeft: 40,
      x: axis(chart.axes[0], ["x", "xlow", "xhigh"]), y: axis(chart.axes[1], ["y", "ylow", "yhigh"]), symbol: { type: "identity" },
    };
    const scales = Plot.plot(shown), x = scales.scale("x"), y = scales.scale("y");
    const box = (left, right, top, bottom) => ({ left: x.apply(left) - 1, right: x.apply(right) + 1, top: y.apply(top) - 1, bottom: y.apply(bottom) + 1 });
    const cross = (one) => [box(one.xlow ?? one.x, one.xhigh ?? one.x, one.y, one.y), box(one.x, one.x, one.yhigh ?? one.y, one.ylow ?? one.y)];
    const points = chart.rows.map((one, at) => ({ ...one, tag: one.whole ? one.row : String(at + 1), px: x.apply(one.x), py: y.apply(one.y) }));
    return Plot.plot({
      ...shown, r: { type: "identity" },
      marks: [
        Plot.ruleY(whole, { x1: "xlow", x2: "xhigh", y: "y", stroke: paint, strokeWidth: (one) => 2 + wide(one) }),
        Plot.ruleX(whole, { y1: "ylow", y2: "yhigh", x: "x", stroke: paint, strokeWidth: (one) => 2 + wide(one) }),
        Plot.dot(chart.rows, {
          x: "x", y: "y", r: (one) => 5.5 + wide(one), symbol: (one) => (chart.options.runs ? shape(chart, one.row) : one.whole ? "square" : "circle"),
          fill: paint, stroke: "var(--paper)", href: (one) => address(chart, one),
          title: (one) => `${one.row}: ${one.text}`,
        }),
        ...(chart.options.runs ? [] : labels(together(points), width, whole.flatMap(cross))),
      ],
    });
  },
};

// Points that cover each other are one, and bear the numbers of all.
function together(points) {
  const apart = [];
  for (const one of points) {
    const same = apart.find((other) => !one.whole && !other.whole && Math.hypot(one.px - other.px, one.py - other.py) < 12);
    if (same) same.tag += `, ${one.tag}`;
    else apart.push(one);
  }
  return apart;
}

// From the tenth below the least to the tenth above the greatest, and 30 points wide at the least.
function extent(rows, [middle, ...ends]) {
  const all = rows.flatMap((one) => [middle, ...(one.whole ? ends : [])].map((key) => one[key])).filter((one) => typeof one === "number");
  const high = Math.min(1, Math.ceil(10 * Math.max(...all)) / 10);
  return [Math.max(0, Math.min(Math.floor(10 * Math.min(...all)) / 10, high - 0.3)), high];
}

// All intervals, and 5 points on either side of 0 at the least; differences may all be 0.
function reach(rows) {
  return [Math.min(-0.05, ...rows.map((one) => one.low)), Math.max(0.05, ...rows.map((one) => one.high))];
}

// Labels points where there is room: beside, above or below them, clear of points, `lines` and other labels.
function labels(points, edge, lines) {
  const dots = points.map((one) => ({ left: one.px - 7, right: one.px + 7, top: one.py - 7, bottom: one.py + 7 }));
  const taken = [...dots, ...lines];
  const beside = [0, -14, 14, -26, 26, -38, 38].flatMap((dy) => [[9, dy, "start"], [-9, dy, "end"]]);
  const around = [[0, 16, "middle"], [0, -16, "middle"]];
  return points.map((one) => {
    const wide = 7 * one.tag.length;
    const box = ([dx, dy, anchor]) => {
      const left = one.px + dx - { start: 0, middle: wide / 2, end: wide }[anchor];
      return { left, right: left + wide, top: one.py + dy - 7, bottom: one.py + dy + 7 };
    };
    const covers = (label) => taken.filter((other) =>
      label.left < other.right && other.left < label.right && label.top < other.bottom && other.top < label.bottom).length;
    const cost = (label) => covers(label) + (label.left < 30 || label.right > edge ? 3 : 0) + (label.top < 4 ? 3 : 0);
    const best = [beside[0], beside[1], ...around, ...beside.slice(2)].reduce((a, b) => (cost(box(b)) < cost(box(a)) ? b : a));
    taken.push(box(best));
    const [dx, dy, textAnchor] = best;
    return Plot.text([one], {
      x: "x", y: "y", text: "tag", dx, dy, textAnchor, fill: "currentColor", stroke: "var(--paper)", strokeWidth: 4,
      fontWeight: one.whole ? 700 : 400,
    });
  });
}

// A single series needs a name only where the axis does not say it.
const hasLegend = (chart) => chart.series.length > 1 || (chart.kind === "stack" && chart.series[0] !== chart.axes[0]);

function legend(chart) {
  const list = document.createElement("ul");
  list.className = "legend";
  const drawn = new Set(chart.rows.flatMap((one) => [one.row, one.series, one.part]));
  for (const name of chart.series.filter((each) => drawn.has(each))) {
    const item = document.createElement("li");
    const mark = Plot.plot({
      width: 14, height: 14, margin: 0, axis: null, x: { domain: [0, 1] }, y: { domain: [0, 1] }, symbol: { type: "identity" },
      marks: [Plot.dot([[0.5, 0.5]], { r: 5, fill: colour(chart, name), symbol: chart.kind === "stack" ? "square" : shape(chart, name) })],
    });
    item.append(mark, name);
    list.append(item);
  }
  return list;
}

function within(names) {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = `Almost the same, so drawn one within the other, the outermost first: ${names.join(", ")}.`;
  return note;
}

function key(chart) {
  const list = document.createElement("ol");
  list.className = "legend";
  for (const [at, one] of chart.rows.entries()) {
    if (one.whole) continue;
    const item = document.createElement("li");
    item.append(`${at + 1} ${one.row}`);
    list.append(item);
  }
  return list;
}

// The same addresses as a list, for the keyboard and for readers who do not see the chart.
function leads(chart) {
  const rows = chart.rows.filter((one) => one.where);
  if (!rows.length) return null;
  const list = document.createElement("ul");
  for (const one of rows) {
    const link = document.createElement("a"), item = document.createElement("li");
    link.href = address(chart, one);
    link.textContent = [one.row, one.part].filter(Boolean).join(", ");
    item.append(link);
    list.append(item);
  }
  const details = document.createElement("details"), summary = document.createElement("summary");
  details.className = "leads";
  summary.textContent = "Show the queries";
  details.append(summary, list);
  return details;
}

// An image may hold no link, so a mark is a shape to press; the list of addresses stands below.
function pressable(link) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const target = link.getAttribute("href") || link.getAttributeNS("http://www.w3.org/1999/xlink", "href");
  shape.append(...link.childNodes);
  shape.classList.add("press");
  shape.addEventListener("click", () => { if (location.hash === target) openHash(); else location.hash = target; });
  link.replaceWith(shape);
}

function draw(box) {
  const chart = DATA.charts[Number(box.dataset.chart)];
  const run = box.closest("[data-run]")?.dataset.run;
  if (run !== undefined) chart.run = Number(run);
  const width = Math.floor(box.clientWidth);
  if (!width || box.dataset.width === String(width)) return;
  box.dataset.width = String(width);
  const parts = hasLegend(chart) ? [legend(chart)] : [];
  if (chart.kind === "plane" && !chart.options.runs) parts.push(key(chart));
  if (chart.options.runs && ["plane", "curve"].includes(chart.kind)) parts.push(...nested(chart).groups.map(within));
  const drawn = DRAWN[chart.kind](chart, width);
  drawn.style.fontSize = "12.5px";
  drawn.style.fontFamily = "inherit";
  box.replaceChildren(...parts, drawn);
  for (const svg of box.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true");
  box.querySelectorAll("svg a").forEach(pressable);
  if (!box.parentElement.querySelector(".leads")) box.parentElement.append(...[leads(chart)].filter(Boolean));
}

const resized = new ResizeObserver((entries) => entries.forEach((entry) => draw(entry.target)));
const BOXES = [...document.querySelectorAll("[data-chart]")];
BOXES.forEach(draw);  // now, so that what stands below keeps its place when an address leads there
BOXES.forEach((box) => resized.observe(box));
