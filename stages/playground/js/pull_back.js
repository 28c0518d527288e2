// From x(T) back to the image: the rows of P = dx(T)/dx(0) that belong to the classes (paper, Algorithm 2).
//
//   λ_l = λ_{l+1} + W_lᵀ (h σ'(a_l) ⊙ λ_{l+1})

// Return the rows of P for all classes: an array of Float64Array(pixels).
export function classRows(network, slopes) {
  const units = Array.from({ length: network.classes }, (_, c) => {
    const unit = new Float64Array(network.classes);
    unit[c] = 1;
    return unit;
  });
  return pullBack(network, slopes, units);
}

// Carry cotangents of the scores back to the image; each becomes a Float64Array(pixels).
export function pullBack(network, slopes, cotangents) {
  const { depth, width, rows, steps } = network;
  const adjoints = cotangents.map((cotangent) => {
    const adjoint = new Float64Array(width);
    adjoint.set(cotangent);
    return adjoint;
  });
  if (adjoints.length % 2) adjoints.push(new Float64Array(width)); // they go in pairs
  const active = new Int32Array(width + 3);
  const g = adjoints.map(() => new Float64Array(width + 3));
  for (let l = depth - 1; l >= 0; l--) {
    let count = 0;
    for (let i = 0; i < width; i++) {
      const row = l * width + i;
      const rate = slopes[row] * steps[row];
      if (rate === 0) continue; // an inactive neuron of a ReLU network carries nothing
      for (let c = 0; c < adjoints.length; c++) g[c][count] = rate * adjoints[c][i];
      active[count++] = row * (width + 1);
    }
    while (count % 4) { // rows go by four: a row again with the factor zero fills up
      for (let c = 0; c < adjoints.length; c++) g[c][count] = 0;
      active[count++] = l * width * (width + 1);
    }
    for (let c = 0; c < adjoints.length; c += 2) {
      addRows(rows, active, count, width, g[c], adjoints[c], g[c + 1], adjoints[c + 1]);
    }
  }
  return adjoints.slice(0, cotangents.length).map((adjoint) => adjoint.subarray(network.own));
}

// Four rows for two cotangents at a time: a weight is read once for two products, a sum once for four.
function addRows(rows, active, count, width, gOne, one, gTwo, two) {
  for (let k = 0; k < count; k += 4) {
    const r0 = active[k], r1 = active[k + 1], r2 = active[k + 2], r3 = active[k + 3];
    const a0 = gOne[k], a1 = gOne[k + 1], a2 = gOne[k + 2], a3 = gOne[k + 3];
    const b0 = gTwo[k], b1 = gTwo[k + 1], b2 = gTwo[k + 2], b3 = gTwo[k + 3];
    for (let j = 0; j < width; j++) {
      const w0 = rows[r0 + j], w1 = rows[r1 + j], w2 = rows[r2 + j], w3 = rows[r3 + j];
      one[j] += a0 * w0 + a1 * w1 + (a2 * w2 + a3 * w3);
      two[j] += b0 * w0 + b1 * w1 + (b2 * w2 + b3 * w3);
    }
  }
}
