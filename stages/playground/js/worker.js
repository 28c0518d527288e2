// The worker's end of the page's questions.

import { answer } from "./answers.js";

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ id: data.id, answer: await answer(data) });
  } catch (problem) {
    self.postMessage({ id: data.id, problem: String(problem) });
  }
};
