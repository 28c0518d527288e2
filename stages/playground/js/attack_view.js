// An attack on one network, step by step: image, perturbation, attacked image, and how far the class is still ahead.

import { Chart } from "./chart.js";
import { padded } from "./depth_view.js";
import { element, marked, number, paintChange, paintState, percent, picture, scorePixels } from "./elements.js";
import { argmax, norm } from "./measures.js";

export class AttackView {
  constructor(about, side) {
    this.about = about;
    const names = ["image", "perturbation", "attacked image"];
    this.pictures = names.map((name) => picture(side, name, "large"));
    this.captions = names.map((name) => element("figcaption", {}, name));
    const figures = this.pictures.map((each, k) => element("figure", {}, marked(each, scorePixels(about)), this.captions[k]));
    this.chart = new Chart({ label: "lead of the first answer over the best other class", x: "norm of the perturbation", y: "lead of the first answer" });
    this.facts = element("dl", { class: "facts" });
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.node = element(
      "div",
      { class: "attack" },
      element("div", { class: "three" }, ...figures),
      element("div", { class: "beside" }, this.facts, this.chart.node),
      this.words,
    );
  }

  // Begin anew with an image and the network's answer to it.
  begin(image, { z, read }) {
    Object.assign(this, { origin: image, image, read, label: read, steps: 0, ended: false });
    this.path = [[0, lead(z, read)]];
    this.draw();
  }

  // Take the outcome of a step.
  advance({ image, moved, z, read }) {
    Object.assign(this, { image, read });
    if (moved) {
      this.steps += 1;
      this.path.push([this.perturbation().norm, lead(z, this.label)]);
    }
    this.ended = !moved;
    this.draw();
  }

  get misclassified() {
    return this.read !== this.label;
  }

  perturbation() {
    const change = this.image.map((value, k) => value - this.origin[k]);
    return { change, norm: norm(change) };
  }

  draw() {
    const { change, norm: size } = this.perturbation();
    paintState(this.pictures[0], this.origin);
    paintChange(this.pictures[1], change);
    paintState(this.pictures[2], this.image);
    this.captions[0].textContent = `image, read as ${this.label}`;
    this.captions[1].textContent = size > 0 ? "perturbation, enlarged" : "perturbation";
    this.captions[2].textContent = `attacked, read as ${this.read}`;
    this.pictures[2].classList.toggle("fooled", this.misclassified);
    const inScores = size > 0 ? (norm(change.subarray(0, scorePixels(this.about))) / size) ** 2 : 0;
    const share = this.about.own ? "there are none" : percent(inScores);
    const facts = { steps: this.steps, norm: number(size, 3), "in the score pixels": share };
    const entries = Object.entries(facts).map(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]);
    this.facts.replaceChildren(...entries.flat());
    const leads = this.path.map((point) => point[1]);
    const reach = Math.max(0.3, ...this.path.map((point) => point[0]));
    this.chart.show([{ points: this.path, kind: "first", dots: true }], { x: [0, reach], y: padded(Math.min(0, ...leads), Math.max(0.1, ...leads)) });
    this.words.textContent = this.verdict(size);
  }

  verdict(size) {
    if (this.misclassified) return `A perturbation of norm ${number(size, 3)} turns this ${this.label} into a ${this.read}.`;
    if (this.ended) return "No direction is left in which to go: the attack has ended.";
    return this.steps ? `Still read as ${this.label}.` : "Take one step, or run the attack.";
  }
}

function lead(z, label) {
  const other = argmax(z.map((value, c) => (c === label ? -Infinity : value)));
  return z[label] - z[other];
}
