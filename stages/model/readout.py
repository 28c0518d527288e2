"""The read-out: where in x(T) the class scores are. It is fixed: a network has no trained layer outside its ODE."""

from stages.arrays import namespace


class FirstComponents:
    """Score number c is component c of x(T), as in the paper."""

    def scores(self, x, count):
        """Return the first `count` scores (..., score, sample) of states x (..., neuron, sample)."""
        return x[..., :count, :]

    def cotangent(self, u, width, dtype):
        """Return the cotangent (..., width, sample) of x(T) that a cotangent u (..., score, sample) of scores is."""
        λ = namespace(u).zeros((*u.shape[:-2], width, u.shape[-1]), dtype)
        λ[..., : u.shape[-2], :] = u
        return λ


FIRST_COMPONENTS = FirstComponents()
