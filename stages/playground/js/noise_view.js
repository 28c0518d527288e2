// Noise on its way through one network: measured by a second solve, and estimated by the sensitivity problem.

import { Chart } from "./chart.js";
import { padded } from "./depth_view.js";
import { element, number, paintState, percent, picture } from "./elements.js";

export class NoiseView {
  constructor(about, side) {
    this.about = about;
    this.picture = picture(side, "the noisy image", "large");
    this.chart = new Chart({ label: "measured and estimated noise over depth", x: "depth t", y: "relative to |x(t)|" });
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.node = element(
      "div",
      { class: "noise" },
      element(
        "div",
        { class: "beside" },
        element("figure", { class: "travel" }, this.picture, element("figcaption", {}, "image + noise")),
        this.chart.node,
      ),
      legend(),
      this.words,
    );
  }

  show({ measured, estimated, error, read, confidence }, noisy, clean) {
    const { interval, depth } = this.about;
    paintState(this.picture, noisy);
    // An empty image has no size that noise could be compared with.
    const points = (values) =>
      Array.from(values, (value, l) => [(l * interval) / depth, value]).filter((point) => Number.isFinite(point[1]));
    const lines = [
      { points: points(measured), kind: "first" },
      { points: points(estimated), kind: "estimate" },
    ];
    const highest = Math.max(0.01, ...lines.flatMap((line) => line.points.map((point) => point[1])));
    this.chart.show(lines, { x: [0, interval], y: padded(0, highest) });
    this.words.textContent = this.verdict(measured, error, read, confidence, clean);
  }

  verdict(measured, error, read, confidence, clean) {
    if (!(measured[0] > 0)) return "No noise: move the slider.";
    const change = read === clean ? `The answer is still ${read}` : `The answer is ${read} instead of ${clean}`;
    const growth = measured.at(-1) / measured[0];
    const grown = Number.isFinite(measured[0])
      ? ` Relative to x(t), the noise at the end is ${number(growth)} times that at the start;`
      : " The image is empty, so nothing is there to compare the noise with at the start;";
    return `${change} (confidence ${percent(confidence)}).${grown} the error of ξ(T) is ${percent(error)}.`;
  }
}

function legend() {
  const entry = (kind, words) => element("span", {}, element("i", { class: `swatch ${kind}` }), words);
  return element("p", { class: "legend" }, entry("first", "measured |δ(t)| / |x(t)|"), entry("estimate", "estimated |ξ(t)| / |x(t)|"));
}
