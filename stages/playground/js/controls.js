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
  at("play").addEventListener("click", player(travel));
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

// Return a function that lets the digit travel from t = 0 to T; a hand on the slider, or another call, ends the travel.
function player(travel) {
  const slider = at("depth");
  let playing = 0;
  slider.addEventListener("input", () => (playing += 1));
  return () => {
    const own = ++playing;
    const start = performance.now();
    const time = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : TRAVEL_MS;
    const frame = (now) => {
      if (own !== playing) return;
      const share = time ? Math.min(1, Math.max(0, now - start) / time) : 1;
      slider.value = String(Math.round(share * Number(slider.max)));
      travel();
      if (share < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };
}
