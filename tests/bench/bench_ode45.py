"""ODE45: one forward solve against torchdiffeq's dopri5, at the same tolerances and in the same norm."""

import subjects
from agreement import require_agreement
from findings import compared_with_an_alternative
from subjects import BATCH, INTERVAL
from timing import interleaved

from stages.model.continuous.dormand_prince import DormandPrince
from stages.model.continuous.problems import direct_rate
from stages.model.solvers.ode45 import Ode45

TITLE = "ODE45, one forward solve"
GOAL = 1.0
# rtol, atol, and how far apart two solvers at these tolerances may end: the errors of a hundred steps, or of a dozen
# larger ones, add up, and a root mean square lets single components go further.
TOLERANCES = {"rtol 1e-3, atol 1e-6": (1e-3, 1e-6, 0.02), "rtol 1e-3, atol 1e-3": (1e-3, 1e-3, 0.1)}


def run(repetitions):
    import torch
    from torchdiffeq import odeint

    network = subjects.trained_network("tanh", "l2")
    x0, _ = subjects.batch(network, subjects.TRAINED_BATCHES)
    right_hand_side = in_torch(network)
    start, times = torch.as_tensor(x0.T.copy()), torch.tensor([0.0, INTERVAL])
    for name, (rtol, atol, same_solution) in TOLERANCES.items():

        def ours(rtol=rtol, atol=atol):
            return Ode45.final_state(network, x0, rtol=rtol, atol=atol, norm="rms")

        def theirs(rtol=rtol, atol=atol):
            with torch.no_grad():
                return odeint(right_hand_side, start, times, rtol=rtol, atol=atol, method="dopri5")[-1]

        require_agreement(f"ODE45, {name}", ours(), theirs().numpy().T, same_solution)
        right_hand_side.evaluations = 0
        theirs()
        note = f"{evaluations(network, x0, rtol, atol)} evaluations against {right_hand_side.evaluations}"
        seconds = interleaved({"ours": ours, "torchdiffeq": theirs}, repetitions)
        subject = f"tanh, {BATCH} images, {name}"
        yield compared_with_an_alternative(
            subject, seconds["ours"], seconds["torchdiffeq"], "torchdiffeq", GOAL, note=note
        )


def in_torch(network):
    """Return x' = tanh(W(t) x + b(t)) as a module, W and b linear between the nodes and constant after the last."""
    import torch

    class RightHandSide(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.W, self.b = torch.as_tensor(network.W.copy()), torch.as_tensor(network.b.copy())
            self.h, self.last, self.evaluations = network.h, network.depth - 1, 0

        def forward(self, t, x):
            self.evaluations += 1
            place = min(float(t) / self.h, self.last)
            layer = int(place)
            following = min(layer + 1, self.last)
            W = torch.lerp(self.W[layer], self.W[following], place - layer)
            b = torch.lerp(self.b[layer], self.b[following], place - layer)
            return torch.tanh(torch.nn.functional.linear(x, W, b))

    return RightHandSide()


def evaluations(network, x0, rtol, atol):
    """How often our solver evaluates the right-hand side."""
    solver = DormandPrince(x0, rtol=rtol, atol=atol, norm="rms")
    solver.solve(
        direct_rate(network.parameters, network.h, network.activation, network.affine), x0, 0.0, network.interval
    )
    return solver.evaluations
