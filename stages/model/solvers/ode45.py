"""ODE45: the three problems solved adaptively, by Dormand and Prince's method with the rules of MATLAB's ode45."""

from stages.model.continuous.dormand_prince import NORMS, DormandPrince
from stages.model.continuous.solver import ContinuousSolver
from stages.runtime.schemas import number


class Ode45(ContinuousSolver):
    label = "ODE45"
    settings = {
        "rtol": number("Relative tolerance.", least=1e-12, most=0.1),
        "atol": number("Absolute tolerance.", least=1e-15, most=1),
        "norm": {"enum": list(NORMS), "description": "Error norm over components."},
    }
    # Steps depend on the weights, so the computed cost jumps by the tolerance: no basis for shortening a training step.
    continuous_cost = False
    slowness = 20  # steps get shorter as training makes the weights rougher

    @staticmethod
    def integrator(like, h, *, rtol, atol, norm):
        return DormandPrince(like, rtol=rtol, atol=atol, norm=norm)


SOLVER = Ode45
