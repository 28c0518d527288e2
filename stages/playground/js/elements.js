// Small pieces of a page: elements, numbers as text, pictures of images.

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function number(value, digits = 2) {
  if (value === Infinity) return "∞";
  return value.toFixed(digits).replace("-", "−");
}

export function percent(share) {
  if (share > 0.999 && share < 1) return "> 99.9 %";
  return `${(100 * share).toFixed(1)} %`;
}

// Names with their values, as a <dl>: {name: value}.
export function facts(entries) {
  const rows = Object.entries(entries).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(value))),
  );
  return element("dl", { class: "facts" }, ...rows);
}

// A picture of side x side pixels that says what it shows; `paint` fills it.
export function picture(side, label, className = "") {
  return element("canvas", { width: side, height: side, role: "img", "aria-label": label, class: `pixels ${className}` });
}

// How many pixels are class scores at t = 0: none, where those are components of their own.
export function scorePixels(about) {
  return about.own ? 0 : about.classes;
}

// A picture with a frame around its first pixels, which are the class scores.
export function marked(canvas, classes) {
  const side = canvas.width;
  const frames = [];
  for (let row = 0; row * side < classes; row++) {
    const frame = element("span", { class: "scores", "aria-hidden": "true" });
    frame.style.width = `${(100 * Math.min(side, classes - row * side)) / side}%`;
    frame.style.height = `${100 / side}%`;
    frame.style.top = `${(100 * row) / side}%`;
    frames.push(frame);
  }
  return element("div", { class: "marked" }, canvas, ...frames);
}

const BELOW = [86, 180, 233]; // Okabe and Ito's sky blue and orange, as in the figures
const ABOVE = [230, 159, 0];

// Pixels of [0, 1] are grey as in MNIST; below zero they turn blue, above one orange.
export function paintState(canvas, values, start = 0) {
  paint(canvas, values, start, (value) => {
    if (value < 0) return BELOW.map((part) => part * Math.min(1, -value));
    const grey = 255 * Math.min(1, value);
    const excess = Math.min(1, Math.max(0, (value - 1) / 2));
    return ABOVE.map((part) => grey + excess * (part - grey));
  });
}

// A perturbation, relative to its largest entry, which is returned: blue takes away, orange adds.
export function paintChange(canvas, values) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  paint(canvas, values, 0, (value) => {
    const share = Math.abs(value) / largest;
    return (value < 0 ? BELOW : ABOVE).map((part) => 30 + share * (part - 30));
  });
  return largest;
}

function paint(canvas, values, start, colour) {
  const { width: side } = canvas;
  const context = canvas.getContext("2d");
  const content = context.createImageData(side, side);
  for (let place = 0; place < side * side; place++) {
    const [red, green, blue] = colour(values[start + place]);
    content.data.set([red, green, blue, 255], 4 * place);
  }
  context.putImageData(content, 0, 0);
}
