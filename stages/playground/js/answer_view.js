// What one network answers: the class, the confidence, the distance to the nearest boundary, and the scores as bars.

import { element, facts, number, percent } from "./elements.js";

export class AnswerView {
  constructor(about) {
    this.read = element("output", { class: "read" }, "–");
    this.glance = element("span", { class: "read small", title: about.label }, "–"); // beside the drawing pad
    this.glance.style.setProperty("--network", about.colour);
    this.facts = element("div");
    this.bars = element("ol", { class: "bars", "aria-label": "class scores" });
    this.node = element("div", { class: "answer" }, this.read, this.facts, this.bars);
    this.rows = Array.from({ length: about.classes }, (_, c) => {
      const bar = element("span", { class: "bar" });
      const value = element("span", { class: "value" });
      const row = element("li", {}, element("b", {}, String(c)), element("span", { class: "track" }, bar), value);
      return { row, bar, value };
    });
    this.bars.append(...this.rows.map(({ row }) => row));
  }

  // label: the image's class, or null for a drawing
  show({ z, read, confidence }, label) {
    for (const each of [this.read, this.glance]) {
      each.textContent = String(read);
      each.classList.toggle("wrong", label !== null && label !== read);
    }
    const [lowest, highest] = [Math.min(0, ...z), Math.max(0, ...z)];
    const share = (value) => (value - lowest) / (highest - lowest || 1);
    this.rows.forEach(({ row, bar, value }, c) => {
      const [from, to] = [share(Math.min(0, z[c])), share(Math.max(0, z[c]))];
      bar.style.left = `${100 * from}%`;
      bar.style.width = `${100 * (to - from)}%`;
      value.textContent = number(z[c]);
      row.classList.toggle("best", c === read);
    });
    this.told = { confidence: percent(confidence) };
    this.label = label === null ? {} : { "true class": read === label ? `${label}: correct` : `${label}: misclassified` };
    this.tell("…");
  }

  showBoundary({ distance, behind }) {
    this.tell(behind === null ? "none in reach" : `${number(distance, distance < 0.1 ? 3 : 2)} to class ${behind}`);
  }

  tell(boundary) {
    this.facts.replaceChildren(facts({ ...this.told, "distance to boundary": boundary, ...this.label }));
  }
}
