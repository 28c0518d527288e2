// From strokes to an image, as MNIST's digits were made: scaled into 20 x 20 pixels with their aspect ratio kept,
// centred by their mass in 28 x 28, then resampled as the images that the networks were trained on.

const BOX = 20 / 28; // of the image's side
const PEN = 2.5 / 28; // width of a line: MNIST's, whatever the size in which a digit is drawn

// strokes: [[[x, y], ...], ...] in any unit; size: pixels along a side (28). Return the image before resampling.
export function rasterise(strokes, size) {
  const points = strokes.flat();
  if (!points.length) return new Float64Array(size * size);
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const extent = Math.max(right - left, bottom - top);
  const scale = extent > 0 ? ((BOX - PEN) * size) / extent : 0;
  const placed = strokes.map((stroke) =>
    stroke.map(([x, y]) => [size / 2 + scale * (x - (left + right) / 2), size / 2 + scale * (y - (top + bottom) / 2)]),
  );
  return centred(ink(placed, size), size);
}

// Ink by the distance of a pixel's centre to the line, with an edge one pixel wide.
function ink(strokes, size) {
  const image = new Float64Array(size * size);
  const reach = (PEN * size) / 2 + 0.5;
  for (const stroke of strokes) {
    for (let k = 0; k < stroke.length; k++) {
      const [from, to] = [stroke[Math.max(0, k - 1)], stroke[k]];
      const rows = span(from[1], to[1], reach, size);
      const columns = span(from[0], to[0], reach, size);
      for (let row = rows[0]; row <= rows[1]; row++) {
        for (let column = columns[0]; column <= columns[1]; column++) {
          const value = Math.min(1, reach - distance([column + 0.5, row + 0.5], from, to));
          const place = row * size + column;
          if (value > image[place]) image[place] = value;
        }
      }
    }
  }
  return image;
}

function span(one, other, reach, size) {
  const first = Math.floor(Math.min(one, other) - reach);
  const last = Math.ceil(Math.max(one, other) + reach);
  return [Math.max(0, first), Math.min(size - 1, last)];
}

function distance([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const share = square > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / square)) : 0;
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}

// Shift by whole pixels until the centre of mass is the image's.
function centred(image, size) {
  let [mass, across, down] = [0, 0, 0];
  image.forEach((value, place) => {
    mass += value;
    across += value * ((place % size) + 0.5);
    down += value * (Math.floor(place / size) + 0.5);
  });
  const [dx, dy] = [Math.round(size / 2 - across / mass), Math.round(size / 2 - down / mass)];
  const moved = new Float64Array(size * size);
  image.forEach((value, place) => {
    const [column, row] = [(place % size) + dx, Math.floor(place / size) + dy];
    if (value > 0 && column >= 0 && column < size && row >= 0 && row < size) moved[row * size + column] = value;
  });
  return moved;
}

// A X Aᵀ, with A (side x size) of stages/data/resampling.py.
export function resample(image, size, A, side) {
  const half = new Float64Array(side * size);
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < size; k++) {
      const weight = A[i * size + k];
      if (weight) for (let j = 0; j < size; j++) half[i * size + j] += weight * image[k * size + j];
    }
  }
  const result = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += A[j * size + k] * half[i * size + k];
      result[i * side + j] = sum;
    }
  }
  return result;
}
