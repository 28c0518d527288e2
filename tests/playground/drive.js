// Ask the page's questions one after the other, in Node or in a browser: drive(ask, questions, texts, networks).

async function drive(ask, questions, texts, networks) {
  const ARRAYS = ["image", "noise"];
  const plain = (value) => {
    if (ArrayBuffer.isView(value)) return Array.from(value);
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
  };
  const answers = [];
  for (const question of questions) {
    const { number } = question;
    const real = { ...question };
    for (const name of ARRAYS) if (question[name]) real[name] = Float64Array.from(question[name]);
    if (question.kind === "load") Object.assign(real, { about: networks[number], text: texts[number] });
    if (question.kind === "walk") {
      const origin = real.image;
      const label = (await ask({ kind: "solve", number, image: origin })).read;
      let outcome = { image: origin, moved: true };
      for (let k = 0; k < question.iterations && outcome.moved; k++) {
        outcome = await ask({ kind: "attack", number, origin, image: outcome.image, label, asked: question.asked });
      }
      answers.push(plain(outcome));
    } else {
      answers.push(plain(await ask(real)));
    }
  }
  return answers;
}
