// The page's end of the worker: questions with answers, and for a slider the last question alone.

export class Computer {
  constructor(script) {
    this.waiting = new Map();
    this.asked = 0;
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.problem) reject(new Error(data.problem));
      else resolve(data.answer);
    };
    this.worker.onerror = (event) => this.fail(new Error(event.message || "the worker did not start"));
  }

  ask(kind, question) {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...question, id, kind });
    });
  }

  fail(problem) {
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }
}

// Return a function that runs `work` for the newest call: calls that came while it ran are skipped but the last. Its
// promise is kept when nothing is left to do.
export function newestOnly(work) {
  let running = null;
  let next = null;
  const loop = async () => {
    try {
      while (next) {
        const now = next;
        next = null;
        await work(...now);
      }
    } finally {
      running = null; // at once, before another call can come
    }
  };
  return (...values) => {
    next = values;
    running = running || loop();
    return running;
  };
}
