// The activations, as stages/model/activations has them: value σ(a) and slope σ'(a).

const ROOT = Math.sqrt(2 / Math.PI);
const CUBIC = 0.044715;
const geluTau = (a) => Math.tanh(ROOT * a * (1 + CUBIC * a * a));

export const ACTIVATIONS = {
  relu: { value: (a) => (a > 0 ? a : 0), slope: (a) => (a > 0 ? 1 : 0) },
  tanh: { value: Math.tanh, slope: (a) => 1 - Math.tanh(a) ** 2 },
  gelu: {
    value: (a) => 0.5 * a * (1 + geluTau(a)),
    slope: (a) => {
      const tau = geluTau(a);
      return 0.5 * (1 + tau + a * (1 - tau * tau) * ROOT * (1 + 3 * CUBIC * a * a));
    },
  },
};
