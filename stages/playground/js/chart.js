// A line chart in SVG: axes with a few round ticks, lines, labels at their ends. It is as wide as its place, and drawn
// anew when that changes, so that letters keep their size.

import { drawn, element, number } from "./elements.js";

const HEIGHT = 230;
const NARROWEST = 240;
const LONGEST_LABEL = 6; // letters that fit beside the chart
const PAD = { left: 50, right: 46, top: 12, bottom: 38 };

export class Chart {
  // about: {label (for people who cannot see it), x: title of the axis, y: likewise}
  constructor(about) {
    this.svg = drawn("svg", { height: HEIGHT, role: "img", "aria-label": about.label });
    this.node = element("div", { class: "chart" }, this.svg);
    this.about = about;
    this.pointed = undefined;
    new ResizeObserver(() => this.lines && this.draw()).observe(this.node);
  }

  // lines: [{points: [[x, y], ...], kind: class name, end: label at the end, dots}]; range: {x: [a, b], y: [a, b]}
  show(lines, range) {
    Object.assign(this, { lines, range });
    this.draw();
  }

  draw() {
    const { lines, range } = this;
    const width = Math.max(NARROWEST, this.node.clientWidth);
    this.svg.setAttribute("width", width);
    const x = scale(range.x, [PAD.left, width - PAD.right]);
    const y = scale(range.y, [HEIGHT - PAD.bottom, PAD.top]);
    this.x = x;
    const parts = [];
    for (const tick of ticks(range.y, 4)) {
      parts.push(drawn("line", { x1: PAD.left, x2: width - PAD.right, y1: y(tick), y2: y(tick), class: tick === 0 ? "zero" : "grid" }));
      parts.push(text(PAD.left - 6, y(tick) + 4, tickText(tick), "end"));
    }
    for (const tick of ticks(range.x, 5)) parts.push(text(x(tick), HEIGHT - PAD.bottom + 15, tickText(tick), "middle"));
    parts.push(text((PAD.left + width - PAD.right) / 2, HEIGHT - 4, this.about.x, "middle", "title"));
    const title = text(0, 0, this.about.y, "middle", "title");
    title.setAttribute("transform", `translate(11 ${(PAD.top + HEIGHT - PAD.bottom) / 2}) rotate(-90)`);
    parts.push(title);
    for (const line of lines) {
      const path = line.points.map(([a, b], k) => `${k ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
      parts.push(drawn("path", { d: path, class: `line ${line.kind}` }));
      if (line.dots) for (const [a, b] of line.points) parts.push(drawn("circle", { cx: x(a), cy: y(b), r: 3, class: `dot ${line.kind}` }));
    }
    for (const { words, kind, place } of spaced(ends(lines), y)) {
      parts.push(text(width - PAD.right + 6, place + 4, words, "start", `end ${kind}`));
    }
    this.cursor = drawn("line", { y1: PAD.top, y2: HEIGHT - PAD.bottom, class: "cursor", visibility: "hidden" });
    this.svg.replaceChildren(...parts, this.cursor);
    this.point(this.pointed);
  }

  // A vertical line at x; undefined: none.
  point(value) {
    this.pointed = value;
    if (!this.cursor) return;
    this.cursor.setAttribute("visibility", value === undefined ? "hidden" : "visible");
    if (value === undefined) return;
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.x(value));
  }
}

function scale([from, to], [start, end]) {
  const size = to - from || 1;
  return (value) => start + ((value - from) / size) * (end - start);
}

// About `count` round numbers in a range.
function ticks([from, to], count) {
  const rough = (to - from) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const result = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) result.push(k * step);
  return result;
}

function tickText(value) {
  return number(Number(value.toPrecision(6)), 6).replace(/\.?0+$/, "");
}

function text(x, y, words, anchor, kind = "tick") {
  return drawn("text", { x, y, "text-anchor": anchor, class: kind }, words);
}

// Labels of the lines' ends: lines of one kind that end in the same value share a label, such as 1–4, 6.
function ends(lines) {
  const shared = new Map();
  for (const { end, kind, points } of lines) {
    if (end === undefined) continue;
    const value = points.at(-1)[1];
    const key = `${kind} ${value}`;
    if (!shared.has(key)) shared.set(key, { kind, value, names: [] });
    shared.get(key).names.push(Number(end));
  }
  return [...shared.values()].map(({ kind, value, names }) => ({ kind, value, words: spans(names) }));
}

function spans(names) {
  const parts = [];
  for (const name of names.sort((a, b) => a - b)) {
    if (parts.length && parts.at(-1)[1] === name - 1) parts.at(-1)[1] = name;
    else parts.push([name, name]);
  }
  const words = parts.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
  return words.length > LONGEST_LABEL ? "others" : words;
}

// Labels pushed apart where they would overlap.
function spaced(wanted, y) {
  const labels = wanted.map((label) => ({ ...label, place: y(label.value) })).sort((a, b) => a.place - b.place);
  const gap = Math.min(11, (HEIGHT - PAD.bottom - PAD.top) / Math.max(1, labels.length - 1));
  for (let k = 1; k < labels.length; k++) labels[k].place = Math.max(labels[k].place, labels[k - 1].place + gap);
  const excess = labels.length ? Math.max(0, labels.at(-1).place - (HEIGHT - PAD.bottom)) : 0;
  if (excess) {
    labels.at(-1).place -= excess;
    for (let k = labels.length - 2; k >= 0; k--) labels[k].place = Math.min(labels[k].place, labels[k + 1].place - gap);
  }
  return labels;
}
