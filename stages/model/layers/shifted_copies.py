"""Shifted copies of images: a convolution stacks them before its product and sums them after it.

Memory is allocated once. Notation, `lift` and `fold` are those of `stages.model.layers.convolution`.
"""

from stages.model.products import product
from stages.runtime.arrays import namespace

# Axes of (..., shift, image, row in the cell, column in the cell, row, column, sample)
SHIFTS, ROWS, COLUMNS = -7, -3, -2


class ShiftedCopies:
    """Arrays for states of one shape, allocated once and reused; results are valid until the next call."""

    def __init__(self, convolution, xp, shape, dtype):
        *self.leading, _, self.samples = shape
        self.convolution, self.half = convolution, convolution.kernel * convolution.channels
        long = convolution.cells**2 * self.samples
        # Zero where a shift leaves the image; these entries are never written.
        self.lifted = xp.zeros((*self.leading, 2 * self.half + 1, long), dtype)  # [lift(ξ); lift(x); 1]
        self.lifted[..., -1, :] = 1
        self.spreaded = xp.zeros((*self.leading, self.half, long), dtype)  # foldᵀ(g)
        self.matrices = xp.zeros((*self.leading, self.half, 2 * self.half + 1), dtype)  # [K ω β], β in the rows d = 0
        self.product = xp.empty((*self.leading, self.half, long), dtype)
        self.gradient = xp.empty((*self.leading, self.half, self.half + 1), dtype)
        # Views of them per shift, made once: making a view takes as long as copying a small image.
        self.of_ξ = self.shifts(self.lifted[..., : self.half, :], COLUMNS, 1)
        self.of_x = self.shifts(self.lifted[..., self.half : -1, :], COLUMNS, 1)
        self.of_g = self.shifts(self.spreaded, ROWS, -1)
        self.of_columns = self.shifts(self.product, COLUMNS, 1)
        self.of_rows = self.shifts(self.product, ROWS, -1)

    def matrix(self, Wb):
        """Return K (..., (d, out), (e, in))."""
        K = self.matrices[..., : self.half]
        self.by_row(K)[...] = self.convolution.rows_first(Wb[..., :-1])
        return K

    def affine_matrix(self, Wb):
        """Return [K b]."""
        Kb, middle = self.matrices[..., self.half :], self.convolution.kernel // 2
        self.by_row(Kb)[..., :-1] = self.convolution.rows_first(Wb[..., :-1])
        self.by_row(Kb)[..., middle, :, -1] = Wb[..., -1]
        return Kb

    def lift(self, ξ):
        """Return lift(ξ), (..., (e, in), (cell, sample))."""
        self.stack_shifts(ξ, self.of_ξ)
        return self.lifted[..., : self.half, :]

    def lift_with_ones(self, x):
        """Return [lift(x); 1]."""
        self.stack_shifts(x, self.of_x)
        return self.lifted[..., self.half :, :]

    def spread(self, g):
        """Return foldᵀ(g), (..., (d, out), (cell, sample))."""
        self.stack_shifts(g, self.of_g)
        return self.spreaded

    def fold(self, matrix, lifted, out):
        """Fill out = fold(matrix lifted)."""
        product(matrix, lifted, self.product)
        return self.sum_shifts(self.of_rows, out)

    def unlift(self, K, spread, out):
        """Fill out = liftᵀ(Kᵀ spread)."""
        product(K.swapaxes(-1, -2), spread, self.product)
        return self.sum_shifts(self.of_columns, out)

    def multiply_out(self, spread, lifted, G):
        """Fill G from spread liftedᵀ."""
        product(spread, lifted.swapaxes(-1, -2), self.gradient)
        by_row, middle = self.by_row(self.gradient), self.convolution.kernel // 2
        self.convolution.rows_first(G[..., :-1])[...] = by_row[..., :-1]
        G[..., -1] = by_row[..., middle, :, -1]
        return G

    def stack_shifts(self, x, shifts):
        """Fill the stack of `shifts`: stack_s(r) = x(r + s)."""
        x = self.convolution.by_cell(x)
        for shift in shifts:
            shift.stacked[...] = x[shift.reached]

    def sum_shifts(self, shifts, out):
        """Fill out(r + s) = Σ_s stack_s(r), the transpose of `stack_shifts`."""
        x = self.convolution.by_cell(out)
        first, *others = shifts
        middle = others.pop(self.convolution.kernel // 2 - 1).stacked
        # The first addition also copies; rows or columns outside the first shift are copied separately.
        namespace(out).add(middle[first.reached], first.stacked, out=x[first.reached])
        x[first.rest] = middle[first.rest]
        for shift in others:
            part = x[shift.reached]
            part += shift.stacked
        return out

    def shifts(self, stack, axis, sign):
        """Return the Shifts sign * s, s = -⌊k/2⌋ .. ⌊k/2⌋, of a stack (..., (s, channel), (cell, sample))."""
        of = self.convolution
        sizes = of.kernel, of.images, of.cell, of.cell, of.cells, of.cells, self.samples
        by_shift = stack.reshape(*self.leading, *sizes)
        numbers = range(of.kernel)
        return [Shift(by_shift[along(SHIFTS, n)], axis, sign * (n - of.kernel // 2)) for n in numbers]

    def by_row(self, matrix):
        """A matrix (..., (d, out), .) as a view (..., d, out, .)."""
        return matrix.reshape(*self.leading, self.convolution.kernel, self.convolution.channels, matrix.shape[-1])


class Shift:
    """One shifted copy of a state: where the state and its copy in a stack overlap along an axis.

    reached, rest: indices of the entries of the state, in the view of `by_cell`, inside and outside the copy;
    stacked: the view of the stack with the entries inside.
    """

    def __init__(self, copy, axis, s):
        side = copy.shape[axis]
        self.reached = along(axis, slice(max(0, s), side - max(0, -s)))
        self.rest = along(axis, slice(0, s) if s > 0 else slice(side + s, side))
        self.stacked = copy[along(axis, slice(max(0, -s), side - max(0, s)))]


def along(axis, part):
    """Return the index that selects part of one axis, counted from the last, and all of the others."""
    return (..., part, *(slice(None) for _ in range(-axis - 1)))
