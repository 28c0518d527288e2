// Gaussian noise that a number decides: the same number, the same noise, for both networks side by side.

export function normalNoise(count, seed) {
  const uniform = uniformNumbers(seed);
  const noise = new Float64Array(count);
  for (let k = 0; k < count; k += 2) {
    const length = Math.sqrt(-2 * Math.log(1 - uniform())); // Box and Muller
    const angle = 2 * Math.PI * uniform();
    noise[k] = length * Math.cos(angle);
    if (k + 1 < count) noise[k + 1] = length * Math.sin(angle);
  }
  return noise;
}

// Numbers in [0, 1) from a Weyl sequence whose bits are mixed: plenty for a picture of noise.
function uniformNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
