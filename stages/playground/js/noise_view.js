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
    const points = (values) => Array.from(values, (value, l) => [(l * interval) / depth, value]);
    const highest = Math.max(0.01, ...measured, ...estimated);
    this.chart.show(
      [
        { points: points(measured), kind: "first" },
        { points: points(estimated), kind: "estimate" },
      ],
      { x: [0, interval], y: padded(0, highest) },
    );
    const growth = measured.at(-1) / measured[0];
    const change = read === clean ? `still reads ${read}` : `reads ${read} instead of ${clean}`;
    this.words.textContent = Number.isFinite(growth)
      ? `The network ${change} (confidence ${percent(confidence)}). Relative to the state, the noise at the end is ` +
        `${number(growth)} times what it was at the start; ξ(T) misses δ(T) by ${percent(error)}.`
      : "No noise: move the slider.";
  }
}

function legend() {
  const entry = (kind, words) => element("span", {}, element("i", { class: `swatch ${kind}` }), words);
  return element("p", { class: "legend" }, entry("first", "measured |δ(t)| / |x(t)|"), entry("estimate", "estimated |ξ(t)| / |x(t)|"));
}
