"""A convolutional network as a user of PyTorch would write it; `network_in_torch.NCG` trains it."""

import torch
from network_in_torch import ACTIVATIONS
from torch import nn
from torch.nn import functional


class ConvolutionalResNet(nn.Module):
    """Images (sample, pixel) in, scores (sample, class) out, by the fixed read-out R (class, neuron)."""

    def __init__(self, K, b, R, *, side, interval, activation):
        super().__init__()
        depth, channels, kernel, _, _ = K.shape
        self.h, self.σ, self.side, self.channels = interval / depth, ACTIVATIONS[activation], side, channels
        self.layers = nn.ModuleList(nn.Conv2d(channels, channels, kernel, padding=kernel // 2) for _ in range(depth))
        self.register_buffer("R", torch.as_tensor(R))
        self.load(K, b)

    def load(self, K, b):
        """Copy the weights from arrays (layer, out, row, column, in) and (layer, out)."""
        with torch.no_grad():
            for layer, kernels, biases in zip(self.layers, K, b, strict=True):
                layer.weight.copy_(torch.as_tensor(kernels).permute(0, 3, 1, 2))
                layer.bias.copy_(torch.as_tensor(biases))

    def weights(self):
        """Return K (layer, out, row, column, in) as a NumPy array."""
        return torch.stack([layer.weight.permute(0, 2, 3, 1) for layer in self.layers]).detach().numpy()

    def forward(self, x):
        x = x.reshape(len(x), -1, self.side, self.side)
        x = functional.pad(x, (0, 0, 0, 0, 0, self.channels - x.shape[1]))
        for layer in self.layers:
            x = x + self.h * self.σ(layer(x))
        return x.flatten(1) @ self.R.T
