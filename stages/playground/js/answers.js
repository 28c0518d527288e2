// What the page asks the worker, and what it answers: all computation is behind `answer`.

import { attackStep } from "./attack.js";
import { argmax, distanceBetween, nearestBoundary, norm, ratios, softmax } from "./measures.js";
import { Network, finalState, scores, sensitivity, solve, unpack } from "./network.js";
import { classRows } from "./pull_back.js";

const networks = new Map();

const QUESTIONS = {
  async load({ number, about, text }) {
    networks.set(number, new Network(about, await unpack(text)));
    return {};
  },

  // The way of an image through the network: all states, and the answer.
  solve({ number, image }) {
    const network = networks.get(number);
    const { result, ms } = timed(() => solve(network, image));
    const z = scores(network, result.states);
    return { states: result.states, z, read: argmax(z), confidence: Math.max(...softmax(z)), ms };
  },

  // How far away the nearest boundary is, to first order.
  boundary({ number, image }) {
    const network = networks.get(number);
    const { states, slopes } = solve(network, image);
    const z = scores(network, states);
    const rows = classRows(network, slopes);
    return { ...nearestBoundary(z, rows), rows };
  },

  // Noise on the image: measured δ(t) against estimated ξ(t).
  noise({ number, image, noise }) {
    const network = networks.get(number);
    const { states, slopes } = solve(network, image);
    const noisy = image.map((value, k) => value + noise[k]);
    const other = solve(network, noisy).states;
    const delta = other.map((value, k) => value - states[k]);
    const xi = sensitivity(network, slopes, noise);
    const [xiEnd, deltaEnd] = [finalState(network, xi), finalState(network, delta)];
    const z = scores(network, other);
    return {
      measured: ratios(delta, states, network.width),
      estimated: ratios(xi, states, network.width),
      xiEnd: xiEnd.slice(),
      error: distanceBetween(xiEnd, deltaEnd) / norm(xiEnd),
      read: argmax(z),
      confidence: Math.max(...softmax(z)),
    };
  },

  // One step of an attack, and the scores after it.
  attack({ number, origin, image, label, asked }) {
    const network = networks.get(number);
    const { result, ms } = timed(() => attackStep(network, origin, image, label, asked));
    const z = result.moved ? scores(network, solve(network, result.image).states) : result.z;
    return { image: result.image, moved: result.moved, z, read: argmax(z), ms };
  },
};

export async function answer(question) {
  return QUESTIONS[question.kind](question);
}

function timed(work) {
  const start = performance.now();
  const result = work();
  return { result, ms: performance.now() - start };
}
