// One step of an attack, as stages/attack has it: a fixed length along a direction, then back into the ball.

import { scores, solve } from "./network.js";
import { argmax, norm, softmax } from "./measures.js";
import { classRows, pullBack } from "./pull_back.js";

const STORED_EPS = 2 ** -23; // of float32, in which the pipeline stores images

// asked: {method: "sensitivity" or "pgd", step, kappa, radius, hold}; label: the class to be left.
// Return {image, moved, z}: z are the scores before the step; no step is made where the attack has ended.
export function attackStep(network, origin, image, label, asked) {
  const { states, slopes } = solve(network, image);
  const z = scores(network, states);
  const held = asked.hold && !network.own ? network.classes : 0; // without pixels that are scores, nothing to hold
  const misclassified = argmax(z) !== label;
  if (asked.method === "sensitivity" && misclassified) return { image, z, moved: false };
  const direction =
    asked.method === "sensitivity"
      ? nearestDirection(network, slopes, z, label, asked.kappa, held)
      : lossDirection(network, slopes, z, label, held);
  if (direction === null) return { image, z, moved: false };
  const moved = image.map((value, k) => value + asked.step * direction[k]);
  return { image: confine(moved, origin, asked.radius), z, moved: true };
}

// The shortest perturbation that makes another class overtake, to first order (paper, Algorithm 2), at length 1:
//   v_i = κ P_i - P_j,   |ξ_i| = (z_j - κ z_i) / |v_i|
export function nearestDirection(network, slopes, z, label, kappa, held) {
  const rows = classRows(network, slopes);
  for (const row of rows) row.fill(0, 0, held);
  let best = null;
  for (let i = 0; i < z.length; i++) {
    if (i === label) continue;
    const factor = z[label] > kappa * z[i] ? kappa : 1; // where the margin is met already it says nothing
    const v = rows[i].map((value, k) => factor * value - rows[label][k]);
    const size = norm(v);
    const length = (z[label] - factor * z[i]) / size;
    if (size > 0 && (best === null || length < best.length)) best = { length, unit: v.map((value) => value / size) };
  }
  return best && best.unit;
}

// The direction in which the cross-entropy of the scores grows fastest: λ(T) = softmax(z) - e_j, pulled back.
export function lossDirection(network, slopes, z, label, held) {
  const cotangent = softmax(z);
  cotangent[label] -= 1;
  const [gradient] = pullBack(network, slopes, [cotangent]);
  gradient.fill(0, 0, held);
  const size = norm(gradient);
  return size > 0 ? gradient.map((value) => value / size) : null;
}

// Pixels stay in [0, 1], the perturbation in the ball, less a hair for the rounding of stored pixels.
export function confine(image, origin, radius) {
  const valid = image.map((value) => Math.min(1, Math.max(0, value)));
  if (!Number.isFinite(radius)) return valid;
  const limit = radius - (STORED_EPS / 2) * Math.sqrt(image.length);
  const length = norm(valid.map((value, k) => value - origin[k]));
  if (length <= limit) return valid;
  return valid.map((value, k) => origin[k] + ((value - origin[k]) * limit) / length);
}
