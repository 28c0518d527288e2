// Run the page's modules in Node: node in_node.mjs <folder of the modules> <page> < questions > answers

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, page] = process.argv.slice(2);
const { answer } = await import(pathToFileURL(path.join(modules, "answers.js")));
const { rasterise, resample } = await import(pathToFileURL(path.join(modules, "drawing.js")));
const drive = new Function(`${fs.readFileSync(new URL("drive.js", import.meta.url), "utf8")}; return drive;`)();

const text = fs.readFileSync(page, "utf8");
const data = JSON.parse(text.match(/id="data">([\s\S]*?)<\/script>/)[1]);
const texts = [...text.matchAll(/id="network-\d+">([^<]*)</g)].map((found) => found[1]);
const ask = async (question) => {
  if (question.kind !== "draw") return answer(question);
  const drawn = rasterise(question.strokes, data.drawn);
  return { drawn, image: resample(drawn, data.drawn, data.resampling, data.side) };
};
const questions = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(await drive(ask, questions, texts, data.networks)));
