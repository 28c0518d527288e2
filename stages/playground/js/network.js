// A network x_{l+1} = x_l + h σ(W_l x_l + b_l) with weights of 8 bits, and its solution for one image.
//
// A row of [W b] is an integer row times one step, so products are summed in integers' values and scaled once: the
// weights stay in 8 bits in memory, a quarter of what floats would take.

import { ACTIVATIONS } from "./activations.js";

export class Network {
  // about: {depth, width, classes, own, interval, activation, changes}; own: how many of the first neurons are class
  // scores of their own that start at zero, and not pixels; changes: whether the rows of a layer are the changes from
  // the layer before; block: an ArrayBuffer, steps (float32) before rows (int8)
  constructor(about, block) {
    const { depth, width } = about;
    const count = depth * width;
    if (block.byteLength !== count * 4 + count * (width + 1)) {
      throw new Error(`wanted ${count} rows of ${width + 1} weights, found a block of ${block.byteLength} bytes`);
    }
    Object.assign(this, { depth, width, classes: about.classes, own: about.own, h: about.interval / depth });
    this.activation = ACTIVATIONS[about.activation];
    this.steps = Float64Array.from(new Float32Array(block, 0, count));
    this.rows = new Int8Array(block, count * 4);
    const layer = width * (width + 1);
    // Numbers of 8 bits are added modulo 256, as the changes were computed.
    if (about.changes) for (let k = layer; k < this.rows.length; k++) this.rows[k] += this.rows[k - layer];
  }
}

// Unpack what write_playground packed: base64 of a deflated block.
export async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// Return {states: (depth + 1) x width, slopes: h σ'(a_l), depth x width}, row by row.
export function solve(network, image) {
  const { depth, width, h, rows, steps } = network;
  const { value, slope } = network.activation;
  const states = new Float64Array((depth + 1) * width);
  const slopes = new Float64Array(depth * width);
  const sums = new Float64Array(width);
  states.set(image, network.own);
  let x = states.subarray(0, width);
  for (let l = 0; l < depth; l++) {
    const next = states.subarray((l + 1) * width, (l + 2) * width);
    products(rows, l * width * (width + 1), x, width, sums);
    for (let i = 0; i < width; i++) {
      const row = l * width + i;
      const a = steps[row] * (sums[i] + rows[row * (width + 1) + width]);
      next[i] = x[i] + h * value(a);
      slopes[row] = h * slope(a);
    }
    x = next;
  }
  return { states, slopes };
}

// Carry a perturbation of the image through the network, to first order (paper, lemma 1): all ξ_l, as `states`.
//   ξ_{l+1} = ξ_l + h σ'(a_l) ⊙ W_l ξ_l
export function sensitivity(network, slopes, perturbation) {
  const { depth, width, rows, steps } = network;
  const all = new Float64Array((depth + 1) * width);
  all.set(perturbation, network.own);
  let xi = all.subarray(0, width);
  for (let l = 0; l < depth; l++) {
    const next = all.subarray((l + 1) * width, (l + 2) * width);
    for (let i = 0; i < width; i++) {
      const row = l * width + i;
      const rate = slopes[row];
      next[i] = xi[i] + (rate ? rate * steps[row] * product(rows, row * (width + 1), xi, width) : 0);
    }
    xi = next;
  }
  return all;
}

export function finalState(network, states) {
  return states.subarray(network.depth * network.width);
}

export function scores(network, states) {
  return finalState(network, states).slice(0, network.classes);
}

// All rows of a layer times x, four rows at a time: an entry of x is read once for four products.
function products(rows, start, x, width, sums) {
  const size = width + 1;
  let i = 0;
  for (; i + 3 < width; i += 4) {
    const r0 = start + i * size, r1 = r0 + size, r2 = r1 + size, r3 = r2 + size;
    let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (let j = 0; j < width; j++) {
      const value = x[j];
      s0 += rows[r0 + j] * value;
      s1 += rows[r1 + j] * value;
      s2 += rows[r2 + j] * value;
      s3 += rows[r3 + j] * value;
    }
    sums[i] = s0;
    sums[i + 1] = s1;
    sums[i + 2] = s2;
    sums[i + 3] = s3;
  }
  for (; i < width; i++) sums[i] = product(rows, start + i * size, x, width);
}

// Four sums at a time: each addition need not wait for the one before.
function product(rows, start, x, width) {
  let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  let j = 0;
  for (; j + 3 < width; j += 4) {
    s0 += rows[start + j] * x[j];
    s1 += rows[start + j + 1] * x[j + 1];
    s2 += rows[start + j + 2] * x[j + 2];
    s3 += rows[start + j + 3] * x[j + 3];
  }
  for (; j < width; j++) s0 += rows[start + j] * x[j];
  return s0 + s1 + (s2 + s3);
}
