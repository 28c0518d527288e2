// The image on its way through one network: pictures of x(t), and the scores as curves over t.

import { Chart } from "./chart.js";
import { element, marked, number, paintState, picture, scorePixels } from "./elements.js";
import { argmax } from "./measures.js";

const STATIONS = 7;

export class DepthView {
  constructor(about, side) {
    Object.assign(this, { about, side });
    this.large = picture(side, "the state x(t) at the chosen depth", "large");
    this.caption = element("figcaption");
    const layers = Array.from({ length: STATIONS }, (_, k) => Math.round((k * about.depth) / (STATIONS - 1)));
    this.stations = [...new Set(layers)]; // a shallow network has fewer
    this.pictures = this.stations.map((layer) => picture(side, `the state at t = ${this.time(layer)}`));
    const strip = this.pictures.map((each, k) =>
      element("figure", {}, each, element("figcaption", {}, `t = ${this.time(this.stations[k])}`)),
    );
    this.chart = new Chart({ label: "the class scores over depth", x: "depth t", y: "class scores" });
    this.node = element(
      "div",
      { class: "depth" },
      element("div", { class: "strip" }, ...strip),
      element("div", { class: "beside" }, element("figure", { class: "travel" }, marked(this.large, scorePixels(about)), this.caption), this.chart.node),
    );
  }

  time(layer) {
    return number((layer * this.about.interval) / this.about.depth, 2).replace(/\.?0+$/, "");
  }

  show({ states, z, read }) {
    const { width, depth, classes, interval } = this.about;
    this.states = states;
    this.pictures.forEach((each, k) => paintState(each, states, this.pixelsOf(this.stations[k])));
    const second = runnerUp(z, read);
    const lines = Array.from({ length: classes }, (_, c) => ({
      points: Array.from({ length: depth + 1 }, (_, l) => [(l * interval) / depth, states[l * width + c]]),
      kind: c === read ? "first" : c === second ? "second" : "other",
      end: String(c),
    }));
    lines.sort((a, b) => rank(a.kind) - rank(b.kind));
    const values = lines.flatMap((line) => line.points.map((point) => point[1]));
    this.chart.show(lines, { x: [0, interval], y: padded(Math.min(0, ...values), Math.max(1, ...values)) });
  }

  // Return where in the states the pixels of a layer begin: behind the scores, where these are no pixels.
  pixelsOf(layer) {
    return layer * this.about.width + this.about.own;
  }

  // Show the state at a share of the depth, 0 to 1.
  travel(share) {
    if (!this.states) return;
    const layer = Math.round(share * this.about.depth);
    paintState(this.large, this.states, this.pixelsOf(layer));
    this.caption.textContent = `t = ${this.time(layer)}, layer ${layer} of ${this.about.depth}`;
    this.chart.point((layer * this.about.interval) / this.about.depth);
  }
}

// Return the second best class, or null where several share that place: with ReLU many scores are exactly zero.
function runnerUp(z, read) {
  const others = z.map((value, c) => (c === read ? -Infinity : value));
  const second = argmax(others);
  return others.filter((value) => value === others[second]).length === 1 ? second : null;
}

function rank(kind) {
  return ["other", "second", "first"].indexOf(kind);
}

export function padded(lowest, highest) {
  const room = 0.05 * (highest - lowest || 1);
  return [lowest === 0 ? 0 : lowest - room, highest + room];
}
