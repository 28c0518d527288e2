// An attack on one network, step by step: image, perturbation, attacked image, and how far the class is still ahead.

import { Chart } from "./chart.js";
import { padded } from "./depth_view.js";
import { element, facts, marked, number, paintChange, paintState, percent, picture, scorePixels } from "./elements.js";
import { argmax, norm } from "./measures.js";

const SHORTEST_AXIS = 0.3; // of the norm

export class AttackView {
  constructor(about, side) {
    this.about = about;
    const names = ["image", "perturbation", "attacked image"];
    this.pictures = names.map((name) => picture(side, name, "large"));
    this.captions = names.map((name) => element("figcaption", {}, name));
    const figures = this.pictures.map((each, k) => element("figure", {}, marked(each, scorePixels(about)), this.captions[k]));
    this.chart = new Chart({ label: "lead of the first answer over the best other class", x: "ℓ² norm of the perturbation", y: "lead in score" });
    this.facts = element("div");
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.node = element(
      "div",
      { class: "attack" },
      element("div", { class: "beside" }, element("div", { class: "three" }, ...figures), this.chart.node),
      this.facts,
      this.words,
    );
  }

  // Begin anew with an image and the network's answer to it.
  begin(image, { z, read }, radius) {
    Object.assign(this, { origin: image, image, read, radius, label: read, steps: 0, ended: false });
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
    const largest = paintChange(this.pictures[1], change);
    paintState(this.pictures[2], this.image);
    this.captions[0].textContent = `image: ${this.label}`;
    this.captions[1].textContent = size > 0 ? `perturbation, up to ±${number(largest)}` : "no perturbation yet";
    this.captions[2].textContent = `attacked: ${this.read}`;
    this.pictures[2].classList.toggle("fooled", this.misclassified);
    this.facts.replaceChildren(facts({ steps: this.steps, "ℓ² norm": number(size, 3), "in the score pixels": this.inScores(change, size) }));
    const leads = this.path.map((point) => point[1]);
    const norms = this.path.map((point) => point[0]);
    const reach = 1.03 * Math.max(SHORTEST_AXIS, ...norms, Number.isFinite(this.radius) ? this.radius : 0);
    const range = { x: [0, reach], y: padded(Math.min(0, ...leads), Math.max(0.1, ...leads)) };
    this.chart.show([{ points: this.path, kind: "first", dots: true }], range);
    this.chart.point(Number.isFinite(this.radius) ? this.radius : undefined);
    this.words.textContent = this.verdict(size);
  }

  inScores(change, size) {
    if (this.about.own) return "has none";
    return size > 0 ? percent((norm(change.subarray(0, this.about.classes)) / size) ** 2) : "–";
  }

  verdict(size) {
    if (this.misclassified) return `A perturbation of norm ${number(size, 3)} turns this ${this.label} into ${article(this.read)}.`;
    if (this.ended) return `Still ${article(this.label)}: no direction is left in which another class comes nearer.`;
    if (!this.steps) return "Take one step, or run the attack.";
    const limit = size > 0.999 * this.radius ? ", and the perturbation is as large as it may be" : "";
    return `Still ${article(this.label)} after ${this.steps} step${this.steps > 1 ? "s" : ""}${limit}.`;
  }
}

function article(digit) {
  return digit === 8 ? "an 8" : `a ${digit}`;
}

function lead(z, label) {
  const other = argmax(z.map((value, c) => (c === label ? -Infinity : value)));
  return z[label] - z[other];
}
