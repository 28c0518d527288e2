// The page: what is chosen, and what is computed and shown for it.

import { Column } from "./column.js";
import { Computer, newestOnly } from "./computer.js";
import { watchControls } from "./controls.js";
import { rasterise, resample } from "./drawing.js";
import { element, number, paintState, picture } from "./elements.js";
import { Pad } from "./pad.js";

const at = (id) => document.getElementById(id);

function start() {
  const data = JSON.parse(at("data").textContent);
  const computer = new Computer(at("worker").textContent);
  const loaded = new Map();
  const page = { data, computer, columns: [], image: null, label: null, controls: null };

  // The networks are unpacked when they are first chosen.
  const load = (index) => {
    if (!loaded.has(index)) {
      const text = at(`network-${index}`).textContent;
      loaded.set(index, computer.ask("load", { number: index, about: data.networks[index], text }));
    }
    return loaded.get(index);
  };

  const refresh = newestOnly(async () => {
    for (const column of page.columns) await column.follow(page.image, page.label);
    measure();
  });

  const choose = (image, label) => {
    Object.assign(page, { image, label });
    paintState(at("seen"), image);
    return refresh();
  };

  const chooseNetworks = async () => {
    const numbers = [at("network"), at("other")].map((list) => list.value).filter((value) => value !== "");
    await Promise.all(numbers.map((value) => load(Number(value))));
    page.columns = [...new Set(numbers)].map((value) => new Column(page, Number(value)));
    document.body.classList.toggle("two", page.columns.length > 1);
    for (const panel of ["answer", "depth", "noise", "attack"]) {
      at(`${panel}-columns`).replaceChildren(...page.columns.map((column) => column.framed(panel)));
    }
    at("glance").replaceChildren(...page.columns.map((column) => column.views.answer.glance));
    await refresh();
    for (const column of page.columns) await column.rehearse();
  };

  const measure = () => {
    for (const [id, kind] of [["forward-time", "solve"], ["attack-time", "attack"]]) {
      const times = page.columns.flatMap((column) => column.times[kind]).sort((a, b) => a - b);
      if (times.length) at(id).textContent = `${number(times[Math.floor(times.length / 2)], 1)} ms`;
    }
  };
  page.measure = measure;

  for (const list of [at("network"), at("other")]) {
    data.networks.forEach((about, index) => list.append(element("option", { value: index }, about.label)));
    list.addEventListener("change", () => chooseNetworks().catch(report));
  }
  const pad = new Pad(at("pad"), (strokes) => {
    mark(null);
    choose(resample(rasterise(strokes, data.drawn), data.drawn, data.resampling, data.side), null).catch(report);
  });
  at("clear").addEventListener("click", () => {
    pad.clear();
    choose(new Float64Array(data.side ** 2), null).catch(report);
  });
  const first = gallery(data, (image, label) => {
    pad.clear();
    choose(image, label).catch(report);
  });
  page.controls = watchControls(page, report);
  page.image = first ? first.image : new Float64Array(data.side ** 2);
  page.label = first ? first.label : null;
  paintState(at("seen"), page.image);
  chooseNetworks().then(() => (document.body.dataset.ready = "yes")).catch(report);
}

// Buttons with the test images; returns the first.
function gallery(data, chosen) {
  const bytes = Uint8Array.from(atob(data.images), (letter) => letter.charCodeAt(0));
  const all = new Float32Array(bytes.buffer);
  const size = data.side ** 2;
  let [place, first] = [0, null];
  for (const group of data.groups) {
    const buttons = group.images.map(({ index, label }) => {
      const image = Float64Array.from(all.subarray(place * size, ++place * size));
      const shown = picture(data.side, "");
      const words = `test image ${index}, labelled ${label}`;
      const button = element("button", { type: "button", class: "thumb", "aria-label": words, "aria-pressed": "false", title: words }, shown);
      paintState(shown, image);
      button.addEventListener("click", () => {
        mark(button);
        chosen(image, label);
      });
      first = first || { image, label, button };
      return button;
    });
    at("gallery").append(element("h3", {}, group.title), element("div", { class: "thumbs" }, ...buttons));
  }
  if (first) mark(first.button);
  return first;
}

function mark(button) {
  for (const each of document.querySelectorAll(".thumb")) each.setAttribute("aria-pressed", String(each === button));
}

function report(problem) {
  at("problem").textContent = `Something went wrong: ${problem.message}`;
  at("problem").hidden = false;
}

// An old browser gets the sentence that stands in the page instead.
if (typeof DecompressionStream === "function" && typeof Worker === "function" && at("network-0")) {
  at("unsupported").hidden = true;
  at("playground").hidden = false;
  start();
}
