// Measures of an answer and of vectors.

export function argmax(values) {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}

export function softmax(z) {
  const highest = Math.max(...z);
  const powers = Array.from(z, (value) => Math.exp(value - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

export function norm(values) {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k] * values[k];
  return Math.sqrt(sum);
}

export function distanceBetween(one, other) {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += (one[k] - other[k]) ** 2;
  return Math.sqrt(sum);
}

// The nearest boundary between two classes, to first order: min_i (z_j - z_i) / |P_j - P_i|, and the class behind it.
export function nearestBoundary(z, rows) {
  const read = argmax(z);
  let nearest = { distance: Infinity, behind: null };
  for (let i = 0; i < z.length; i++) {
    const size = i === read ? 0 : distanceBetween(rows[read], rows[i]);
    if (size > 0 && (z[read] - z[i]) / size < nearest.distance) {
      nearest = { distance: (z[read] - z[i]) / size, behind: i };
    }
  }
  return nearest;
}

// |v_l| / |x_l| for every layer, v and x as `states`.
export function ratios(v, states, width) {
  const layers = states.length / width;
  return Float64Array.from({ length: layers }, (_, l) => {
    const part = [l * width, (l + 1) * width];
    return norm(v.subarray(...part)) / norm(states.subarray(...part));
  });
}
