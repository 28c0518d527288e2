// The drawing pad: mouse, finger or pen; with the keyboard, arrows move the pen and the space bar puts it down or lifts it.

const STEP = 1 / 28; // of the pad's side, for a press of an arrow
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Pad {
  // changed(strokes): called after every change, strokes in units of the pad's side
  constructor(canvas, changed) {
    Object.assign(this, { canvas, changed, strokes: [], pen: [0.5, 0.3], down: false, keyboard: false });
    canvas.addEventListener("pointerdown", (event) => this.start(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.drawing = false));
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => {
      this.keyboard = this.down = false;
      this.paint();
    });
    this.paint();
  }

  clear() {
    this.strokes = [];
    this.down = false;
    this.paint();
  }

  start(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.drawing = true;
    this.keyboard = this.down = false;
    this.strokes.push([]);
    this.add(this.place(event));
  }

  move(event) {
    if (!this.drawing) return;
    const events = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
    for (const each of events.length ? events : [event]) this.strokes.at(-1).push(this.place(each));
    this.report();
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  key(event) {
    if (event.key === " ") {
      this.down = !this.down;
      if (this.down) {
        this.strokes.push([]);
        this.add([...this.pen]);
      }
    } else if (ARROWS[event.key]) {
      this.pen = this.pen.map((value, axis) => Math.min(1, Math.max(0, value + STEP * ARROWS[event.key][axis])));
      if (this.down) this.add([...this.pen]);
    } else {
      return;
    }
    event.preventDefault();
    this.keyboard = true;
    this.paint();
  }

  add(point) {
    this.strokes.at(-1).push(point);
    this.report();
  }

  report() {
    this.paint();
    this.changed(this.strokes);
  }

  paint() {
    const { width: side } = this.canvas;
    const context = this.canvas.getContext("2d");
    context.fillStyle = "#000000";
    context.fillRect(0, 0, side, side);
    Object.assign(context, { strokeStyle: "#ffffff", lineWidth: side / 13, lineCap: "round", lineJoin: "round" });
    if (!this.strokes.length && !this.keyboard) {
      Object.assign(context, { fillStyle: "#8a8a93", font: `${side / 16}px system-ui, sans-serif`, textAlign: "center" });
      context.fillText("draw here", side / 2, side / 2);
    }
    for (const stroke of this.strokes) {
      context.beginPath();
      stroke.forEach(([x, y]) => context.lineTo(x * side, y * side));
      if (stroke.length === 1) context.lineTo(stroke[0][0] * side + 0.1, stroke[0][1] * side);
      context.stroke();
    }
    if (!this.keyboard) return;
    const [x, y] = this.pen.map((value) => value * side);
    Object.assign(context, { lineWidth: side / 90, strokeStyle: this.down ? "#e69f00" : "#56b4e9" });
    context.beginPath();
    context.arc(x, y, side / 22, 0, 2 * Math.PI);
    context.stroke();
  }
}
