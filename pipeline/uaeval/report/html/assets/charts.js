// Draws the charts with Observable Plot, at the width that there is. All text in a chart is set
// by Plot as text; colours are those of the style sheet, so that they follow light and dark.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const COLOURS = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)"];
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "cross"];
const place = (chart, name) => chart.series.indexOf(name);
const colour = (chart, name) => COLOURS[place(chart, name) % COLOURS.length];
const shape = (chart, name) => SHAPES[place(chart, name) % SHAPES.length];
const inPercent = (value) => `${Math.round(100 * value)}`;
const rowsOf = (chart) => [...new Set(chart.rows.map((one) => one.row))];
const marginFor = (names, width) =>
  Math.min(12 + 7 * Math.max(...names.map((name) => Math.min(name.length, 30))), width * 0.42);

const DRAWN = {
  // rows: {row, series, value, low, high, told}; ratios from 0 to 1, or differences around 0.
  dots(chart, width) {
    const names = rowsOf(chart), several = chart.series.length > 1;
    const step = several && chart.options.ratio ? 18 * chart.series.length + 12 : 30;
    const y = several && chart.options.ratio ? "series" : "row";
    const facet = y === "series" ? { fy: "row" } : {};
    const paint = { stroke: (one) => colour(chart, one.series) };
    return Plot.plot({
      width, height: names.length * step + 46, marginLeft: marginFor(names, width), marginRight: 14,
      marginTop: 6,
      x: { label: `${chart.axes[0]}`, labelArrow: "none", grid: true, tickFormat: inPercent, nice: true,
           ticks: width < 420 ? 4 : 6, ...(chart.options.ratio ? { domain: [0, 1] } : {}) },
      y: { domain: y === "series" ? chart.series : names, label: null, axis: y === "row" ? "left" : null,
           padding: 0.3, tickSize: 0 },
      fy: { domain: names, label: null, axis: "left", padding: 0.18, tickSize: 0 },
      symbol: { type: "identity" },
      marks: [
        chart.options.ratio ? null : Plot.ruleX([0], { stroke: "var(--quiet)" }),
        Plot.ruleY(chart.rows, { x1: "low", x2: "high", y, ...facet, ...paint, strokeWidth: 2.5, strokeOpacity: 0.75 }),
        Plot.dot(chart.rows, {
          x: "value", y, ...facet, r: 5, symbol: (one) => shape(chart, one.series),
          fill: (one) => colour(chart, one.series), stroke: "var(--paper)", strokeWidth: 1,
          title: (one) => `${one.row}${several ? `, ${one.series}` : ""}: ${one.told}`,
        }),
      ],
    });
  },

  // rows: {row, part, value}; counts.
  stack(chart, width) {
    const names = rowsOf(chart);
    return Plot.plot({
      width, height: names.length * 30 + 46, marginLeft: marginFor(names, width), marginRight: 30, marginTop: 6,
      x: { label: chart.axes[0], labelArrow: "none", grid: true, ticks: width < 420 ? 3 : 6 },
      y: { domain: names, label: null, padding: 0.25, tickSize: 0 },
      marks: [
        Plot.barX(chart.rows, {
          x: "value", y: "row", fill: (one) => colour(chart, one.part), order: chart.series, z: "part",
          inset: 0.75, rx: 2, title: (one) => `${one.row}: ${one.part} ${one.value}`,
        }),
        Plot.text(chart.rows, Plot.groupY({ x: "sum", text: "sum" }, {
          x: "value", y: "row", text: "value", textAnchor: "start", dx: 5, fill: "currentColor",
        })),
        Plot.ruleX([0], { stroke: "var(--quiet)" }),
      ],
    });
  },

  // rows: {series, x, value, low, high}; options.mark: the weight in use.
  curve(chart, width) {
    const paint = { stroke: (one) => colour(chart, one.series), z: "series" };
    const marked = chart.rows.filter((one) => Math.abs(one.x - chart.options.mark) < 1e-9);
    const y = { label: chart.axes[1], labelArrow: "none", domain: [0, 1], grid: true, tickFormat: inPercent };
    return Plot.plot({
      width, height: Math.min(340, 200 + width / 5), marginTop: 24, marginRight: 20,
      x: { label: width < 420 ? "w1" : chart.axes[0], labelArrow: "none", domain: [0, 1], ticks: 5 }, y,
      symbol: { type: "identity" },
      marks: [
        Plot.areaY(chart.rows, { x: "x", y1: "low", y2: "high", fill: (one) => colour(chart, one.series), z: "series", fillOpacity: 0.16 }),
        Plot.ruleX([chart.options.mark], { stroke: "var(--quiet)", strokeDasharray: "4,4" }),
        Plot.lineY(chart.rows, { x: "x", y: "value", ...paint, strokeWidth: 2.5 }),
        Plot.dot(marked, {
          x: "x", y: "value", r: 5, symbol: (one) => shape(chart, one.series), fill: (one) => colour(chart, one.series),
          stroke: "var(--paper)", title: (one) => `${one.series} at w1 = ${one.x}: ${one.told}`,
        }),
      ],
    });
  },

  // rows: {label, x, y, whole, xlow, xhigh, ylow, yhigh}; points that fall together share a label.
  plane(chart, width) {
    const whole = chart.rows.filter((one) => one.whole), side = Math.min(width, 420);
    return Plot.plot({
      width, height: side, marginTop: 24, marginRight: 24,
      x: { label: chart.axes[0], labelArrow: "none", domain: [0, 1], grid: true, tickFormat: inPercent, ticks: 5 },
      y: { label: chart.axes[1], labelArrow: "none", domain: [0, 1], grid: true, tickFormat: inPercent, ticks: 5 },
      symbol: { type: "identity" },
      marks: [
        Plot.ruleY(whole, { x1: "xlow", x2: "xhigh", y: "y", stroke: "var(--c1)", strokeWidth: 2 }),
        Plot.ruleX(whole, { y1: "ylow", y2: "yhigh", x: "x", stroke: "var(--c1)", strokeWidth: 2 }),
        Plot.dot(chart.rows, {
          x: "x", y: "y", r: 5.5, symbol: (one) => (one.whole ? "square" : "circle"),
          fill: (one) => (one.whole ? "var(--c1)" : "var(--c0)"), stroke: "var(--paper)",
          title: (one) => `${one.label}: ${inPercent(one.x)} %, ${inPercent(one.y)} %`,
        }),
        ...labels(chart.rows, width - 64, side - 54),
      ],
    });
  },
};

// Places the labels of points so that none covers another: below its point, then further down.
function labels(rows, across, down) {
  const set = [], height = 15;
  const boxes = rows.map((one) => ({ ...one, px: one.x * across, py: (1 - one.y) * down }));
  for (const one of boxes.sort((a, b) => a.py - b.py)) {
    const wide = 7 * one.label.length, right = one.px > across - wide - 10;
    const left = right ? one.px - wide - 9 : one.px + 9;
    let top = one.py;
    while (set.some((other) => Math.abs(other.top - top) < height && left < other.left + other.wide + 4 && other.left < left + wide + 4)) top += 4;
    set.push({ top, left, wide });
    one.mark = Plot.text([one], {
      x: "x", y: "y", text: "label", dx: right ? -9 : 9, dy: top - one.py, textAnchor: right ? "end" : "start",
      fill: "currentColor", stroke: "var(--paper)", strokeWidth: 4, fontWeight: one.whole ? 700 : 400,
    });
  }
  return boxes.map((one) => one.mark);
}

function legend(chart) {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const name of chart.series) {
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

function draw(box) {
  const chart = DATA.charts[Number(box.dataset.chart)];
  const width = Math.floor(box.clientWidth);
  if (!width || box.dataset.width === String(width)) return;
  box.dataset.width = String(width);
  const parts = chart.series.length > 1 ? [legend(chart)] : [];
  const drawn = DRAWN[chart.kind](chart, width);
  drawn.style.fontSize = "12.5px";
  drawn.style.fontFamily = "inherit";
  box.replaceChildren(...parts, drawn);
  for (const svg of box.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true");
}

const resized = new ResizeObserver((entries) => entries.forEach((entry) => draw(entry.target)));
for (const box of document.querySelectorAll("[data-chart]")) resized.observe(box);
