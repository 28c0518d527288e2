// What one network answers: the class, the confidence, the distance to the nearest boundary, and the scores as bars.

import { element, number, percent } from "./elements.js";

export class AnswerView {
  constructor(about) {
    this.read = element("output", { class: "read" }, "–");
    this.facts = element("dl", { class: "facts" });
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
    this.read.textContent = String(read);
    this.read.classList.toggle("wrong", label !== null && label !== read);
    const [lowest, highest] = [Math.min(0, ...z), Math.max(0, ...z)];
    const share = (value) => (value - lowest) / (highest - lowest || 1);
    this.rows.forEach(({ row, bar, value }, c) => {
      const [from, to] = [share(Math.min(0, z[c])), share(Math.max(0, z[c]))];
      bar.style.left = `${100 * from}%`;
      bar.style.width = `${100 * (to - from)}%`;
      value.textContent = number(z[c]);
      row.classList.toggle("best", c === read);
    });
    this.verdict = label === null ? null : read === label ? "as labelled" : `wrong: the label is ${label}`;
    this.confidence = confidence;
    this.tell("…");
  }

  showBoundary({ distance, behind }) {
    this.tell(behind === null ? "none in reach" : `${number(distance)}, behind it a ${behind}`);
  }

  tell(boundary) {
    const facts = { "confidence": percent(this.confidence), "nearest boundary": boundary };
    if (this.verdict) facts.answer = this.verdict;
    const entries = Object.entries(facts).map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
    this.facts.replaceChildren(...entries.flat());
  }
}
