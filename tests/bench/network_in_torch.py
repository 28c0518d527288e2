"""Network, NCG and RMSprop as a user of PyTorch would write them: a module, autograd, forward mode, an optimiser."""

import torch
from torch import nn
from torch.nn import functional

ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}
NEWTON_STEPS, NEWTON_ACCURACY = 30, 1e-5


class ResNet(nn.Module):
    """Samples are rows; the first `classes` outputs are the scores."""

    def __init__(self, W, b, *, interval, activation, classes):
        super().__init__()
        depth, width, _ = W.shape
        self.h, self.σ, self.classes = interval / depth, ACTIVATIONS[activation], classes
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.load(W, b)

    def load(self, W, b):
        """Copy the weights from arrays (layer, out, in) and (layer, out)."""
        with torch.no_grad():
            for layer, weight, bias in zip(self.layers, W, b, strict=True):
                layer.weight.copy_(torch.as_tensor(weight))
                layer.bias.copy_(torch.as_tensor(bias))

    def weights(self):
        """Return W (layer, out, in) as a NumPy array."""
        return torch.stack([layer.weight for layer in self.layers]).detach().numpy()

    def forward(self, x):
        for layer in self.layers:
            x = x + self.h * self.σ(layer(x))
        return x[:, : self.classes]


def cost(u, y, loss):
    """The paper's loss terms; y one-hot."""
    value = loss["mu1"] / 2 * ((u - y) ** 2).sum(dim=1) + loss["mu3"] / 2 * (u**2).sum(dim=1)
    if loss["mu2"]:
        value = value + loss["mu2"] * functional.cross_entropy(u, y, reduction="none")
    return value.mean()


class NCG:
    def __init__(self, model, loss, smoother=None):
        """loss: µ1, µ2, µ3; smoother: the matrix (layer, layer) that makes the Sobolev gradient, or None."""
        self.model, self.loss = model, loss
        self.smoother = None if smoother is None else torch.as_tensor(smoother, dtype=torch.float32)

    def train_on_batch(self, x, y, iterations):
        """Return the costs before each iteration."""
        named = dict(self.model.named_parameters())
        parameters, h = list(named.values()), self.model.h
        direction, costs, previous = [torch.zeros_like(p) for p in parameters], [], torch.inf
        for _ in range(iterations):
            u = self.model(x)
            value = cost(u, y, self.loss)
            G = torch._foreach_div(torch.autograd.grad(value, parameters), h)
            if self.smoother is not None:
                G = self.smooth(G)
            with torch.no_grad():
                squared = h * sum(n**2 for n in torch._foreach_norm(G))
                torch._foreach_mul_(direction, squared / previous)
                torch._foreach_sub_(direction, G)
                ξ = self.push(named, dict(zip(named, direction, strict=True)), x)
                η = self.step_length(u.detach(), ξ, y)
                torch._foreach_add_(parameters, torch._foreach_mul(direction, η))
            costs.append(float(value.detach()))
            previous = squared
        return costs

    def smooth(self, G):
        """Apply the Sobolev transform over the layers; weights and biases alternate in the list."""
        W, b = (torch.tensordot(self.smoother, torch.stack(part), 1) for part in (G[::2], G[1::2]))
        return [part for layer in zip(W, b, strict=True) for part in layer]

    def push(self, parameters, tangents, x):
        """The directional derivative of the scores, by forward mode."""

        def outputs(parameters):
            return torch.func.functional_call(self.model, parameters, (x,))

        return torch.func.jvp(outputs, (parameters,), (tangents,))[1]

    def step_length(self, u, ξ, y):
        """The zero of the derivative along u + η ξ, by Newton's method: one step where the cost is quadratic."""
        slope = torch.func.grad(lambda η: cost(u + η * ξ, y, self.loss))
        curvature = torch.func.grad(slope)
        η = torch.zeros(())
        for _ in range(NEWTON_STEPS if self.loss["mu2"] else 1):
            change = -slope(η) / curvature(η)
            η = η + change
            if abs(change) <= NEWTON_ACCURACY * abs(η):
                break
        return η


class RMSprop:
    def __init__(self, model, loss, *, rate, rho, epsilon):
        self.model, self.loss = model, loss
        self.optimiser = torch.optim.RMSprop(model.parameters(), lr=rate, alpha=rho, eps=epsilon)

    def train_on_batch(self, x, y, iterations):
        """Return the costs before each iteration."""
        costs = []
        for _ in range(iterations):
            self.optimiser.zero_grad()
            value = cost(self.model(x), y, self.loss)
            value.backward()
            self.optimiser.step()
            costs.append(float(value.detach()))
        return costs
