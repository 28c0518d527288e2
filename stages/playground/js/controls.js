// The controls that both networks share: depth, noise and attack.

import { number } from "./elements.js";

const at = (id) => document.getElementById(id);
const TRAVEL_MS = 4000;
const MOST_STEPS = 60;

// Return functions that tell what is set; report(problem) shows what went wrong.
export function watchControls(page, report) {
  const tell = (id, digits) => (at(`${id}-value`).textContent = number(Number(at(id).value), digits));
  const travel = () => page.columns.forEach((column) => column.views.depth.travel(depth()));
  const depth = () => Number(at("depth").value) / Number(at("depth").max);
  let seed = 1;

  at("depth").addEventListener("input", travel);
  at("play").addEventListener("click", () => play(travel));
  const disturb = () => {
    tell("std", 2);
    page.columns.forEach((column) => column.followNoise().catch(report));
  };
  at("std").addEventListener("input", disturb);
  at("draw-noise").addEventListener("click", () => {
    seed += 1;
    disturb();
  });

  let running = 0; // the number of the run that goes on; another number stops it
  const begin = () => {
    running += 1;
    page.columns.forEach((column) => column.beginAttack());
  };
  for (const id of ["sensitivity", "pgd", "hold", "radius"]) at(id).addEventListener("change", begin);
  at("length").addEventListener("input", () => tell("length", 2));
  at("again").addEventListener("click", begin);
  at("step").addEventListener("click", () => {
    running += 1;
    Promise.all(page.columns.map((column) => column.attackOnce())).catch(report);
  });
  at("run").addEventListener("click", () => {
    const own = ++running;
    const walk = async (column) => {
      for (let k = 0; k < MOST_STEPS && own === running && (await column.attackOnce()); k++);
    };
    Promise.all(page.columns.map(walk)).catch(report);
  });
  tell("std", 2);
  tell("length", 2);

  return {
    depth,
    noise: () => ({ std: Number(at("std").value), seed }),
    attack: () => ({
      method: at("pgd").checked ? "pgd" : "sensitivity",
      step: Number(at("length").value),
      kappa: 1,
      radius: at("radius").value === "" ? Infinity : Number(at("radius").value),
      hold: at("hold").checked,
    }),
  };
}

// Let the digit travel from t = 0 to T.
function play(travel) {
  const slider = at("depth");
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    slider.value = slider.max;
    travel();
    return;
  }
  const start = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - start) / TRAVEL_MS);
    slider.value = String(Math.round(share * Number(slider.max)));
    travel();
    if (share < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
