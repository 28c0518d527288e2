"""A network of this project as a PyTorch module. It only needs torch and safetensors: copy it wherever you like.

net = StandaloneODE("ncg_ce_relu.safetensors")           # written by stages.exchange.export_network
net(images).argmax(dim=1)                                # (sample, ..., 14, 14), from 0 to 1
"""

import functools
import json

import torch
from safetensors import safe_open

GELU = functools.partial(torch.nn.functional.gelu, approximate="tanh")
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh, "gelu": GELU}


class StandaloneODE(torch.nn.Module):
    """x'(t) = σ(W(t) x + b(t)) by Euler's method: x <- x + h σ(W x + b) per layer; the first components are scores."""

    def __init__(self, path):
        super().__init__()
        with safe_open(path, framework="pt") as file:
            about = json.loads(file.metadata()["network"])
            self.W, self.b = (torch.nn.Parameter(file.get_tensor(name)) for name in ("W", "b"))
        self.h, self.classes = about["interval"] / len(self.W), about["classes"]
        self.own_scores = self.classes if about.get("scores") == "own" else 0  # zeros before the pixels
        self.ink = about.get("ink", 1)
        self.activation = ACTIVATIONS[about["activation"]]

    def forward(self, images):
        x = torch.nn.functional.pad(self.ink * images.flatten(1), (self.own_scores, 0))
        for W, b in zip(self.W, self.b, strict=True):
            x = x + self.h * self.activation(torch.nn.functional.linear(x, W, b))
        return x[:, : self.classes]
