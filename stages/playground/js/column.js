// One network on the page, its column in each panel, and the questions that are asked for it.

import { AnswerView } from "./answer_view.js";
import { AttackView } from "./attack_view.js";
import { newestOnly } from "./computer.js";
import { DepthView } from "./depth_view.js";
import { element } from "./elements.js";
import { normalNoise } from "./noise.js";
import { NoiseView } from "./noise_view.js";

const REHEARSALS = 12;
const KEPT = 25; // times, of which the page shows the median

export class Column {
  constructor(page, number) {
    Object.assign(this, { page, number, about: page.data.networks[number], times: { solve: [], attack: [] } });
    const { side } = page.data;
    this.views = {
      answer: new AnswerView(this.about),
      depth: new DepthView(this.about, side),
      noise: new NoiseView(this.about, side),
      attack: new AttackView(this.about, side),
    };
    this.followNoise = newestOnly(() => this.disturb());
  }

  // Return the column's part of a panel, in the colour of its trainer.
  framed(panel) {
    const frame = element("article", { class: "column" }, element("h3", {}, this.about.label), this.views[panel].node);
    frame.style.setProperty("--network", this.about.colour);
    return frame;
  }

  async follow(image, label) {
    this.image = image;
    this.solved = await this.ask("solve", { image });
    this.views.answer.show(this.solved, label);
    this.views.depth.show(this.solved);
    this.views.depth.travel(this.page.controls.depth());
    this.beginAttack();
    if (this.page.image !== image) return; // while somebody draws, the rest waits for the pen to pause
    this.views.answer.showBoundary(await this.ask("boundary", { image }));
    if (this.page.image === image) await this.followNoise();
  }

  async disturb() {
    const { std, seed } = this.page.controls.noise();
    const noise = normalNoise(this.image.length, seed).map((value) => std * value);
    const image = this.image;
    const outcome = await this.ask("noise", { image, noise });
    this.views.noise.show(outcome, image.map((value, k) => value + noise[k]), this.solved.read);
  }

  // Take one step; return whether another makes sense.
  async attackOnce() {
    const view = this.views.attack;
    const { image, origin, label } = view;
    const asked = this.page.controls.attack();
    const outcome = await this.ask("attack", { origin, image, label, asked });
    if (view.origin !== origin) return false; // another image was chosen meanwhile
    view.advance(outcome);
    this.page.measure();
    return outcome.moved && !view.misclassified;
  }

  // Measure how long a forward pass and a step take: the first ones are slow, for browsers compile what is used often.
  async rehearse() {
    const { image } = this;
    const asked = { ...this.page.controls.attack(), radius: Infinity };
    for (let k = 0; k < REHEARSALS; k++) {
      await this.ask("solve", { image });
      await this.ask("attack", { origin: image, image, label: this.solved.read, asked });
    }
    this.page.measure();
  }

  beginAttack() {
    this.views.attack.begin(this.image, this.solved, this.page.controls.attack().radius);
  }

  async ask(kind, question) {
    const answer = await this.page.computer.ask(kind, { number: this.number, ...question });
    const times = answer.moved === false ? null : this.times[kind]; // where an attack has ended, no step was made
    if (times) times.push(answer.ms);
    if (times && times.length > KEPT) times.shift();
    return answer;
  }
}
