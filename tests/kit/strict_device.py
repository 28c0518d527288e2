"""A strict substitute for CuPy on machines without a GPU: the part of its interface that is used.

Arrays hold their numbers in hidden NumPy arrays. As on a device,
- nothing becomes a NumPy array implicitly: only `asnumpy` and `asarray` convert, and transfers are counted;
- arrays do not mix with NumPy arrays, neither in operators nor in functions, as indices or as values;
- every result is an array, 0-d where NumPy would return a scalar, and only 0-d arrays become Python numbers.
It is stricter than CuPy: NumPy's functions refuse these arrays, where CuPy would take over.
"""

import sys

import numpy as np

# The package of an array's type names the module whose functions take it, as with `cupy`: this module acts as one.
DEVICE = "strict_device"
sys.modules[DEVICE] = sys.modules[__name__]

# Functions and methods with the same names in NumPy and CuPy; tests/test_cupy_api.py compares them with CuPy.
FUNCTIONS = (
    *("abs", "add", "arctanh", "divide", "exp", "greater", "isfinite", "isinf", "isnan", "log", "maximum", "minimum"),
    *("multiply", "negative", "sqrt", "square", "subtract", "tanh"),
    *("arange", "empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"),
    *("ascontiguousarray", "broadcast_to", "concatenate", "repeat", "stack", "take_along_axis"),
    *("einsum", "flatnonzero", "matmul", "vdot"),
)
METHODS = (
    *("all", "any", "argmax", "argmin", "astype", "clip", "copy", "cumsum", "max", "mean", "min", "ravel", "repeat"),
    *("reshape", "sum", "swapaxes", "take", "transpose"),
)
CONSTANTS = ("nan", "inf", "float32", "float64", "int64", "bool_")
SCALARS = (bool, int, float, np.generic)


class Transfers:
    """Transfers from the device to the host since the last reset: their number, and the size of the largest."""

    def reset(self):
        self.count = self.largest = 0

    def note(self, size):
        self.count += 1
        self.largest = max(self.largest, size)


transfers = Transfers()
transfers.reset()


class ndarray:
    __module__ = DEVICE
    __array_ufunc__ = None  # NumPy's operators and ufuncs refuse
    __hash__ = None

    def __init__(self, numbers):
        self._numbers = np.asarray(numbers)

    def __array__(self, *arguments, **keywords):
        raise TypeError("implicit conversion to a NumPy array is not allowed; use asnumpy")

    def __repr__(self):
        return f"<{self.dtype} {self.shape} on a device>"

    # Available without waiting for the device.
    shape = property(lambda self: self._numbers.shape)
    dtype = property(lambda self: self._numbers.dtype)
    ndim = property(lambda self: self._numbers.ndim)
    size = property(lambda self: self._numbers.size)
    nbytes = property(lambda self: self._numbers.nbytes)
    strides = property(lambda self: self._numbers.strides)
    T = property(lambda self: ndarray(self._numbers.T))

    def __len__(self):
        return len(self._numbers)

    def __iter__(self):
        return (self[index] for index in range(len(self)))

    # Waits for the device.
    def _scalar(self):
        if self.ndim:
            raise TypeError(f"only a 0-d array becomes a number without asnumpy, not one of shape {self.shape}")
        transfers.note(1)
        return self._numbers

    def __bool__(self):
        return bool(self._scalar())

    def __float__(self):
        return float(self._scalar())

    def __int__(self):
        return int(self._scalar())

    def __index__(self):
        return self._scalar().__index__()

    def item(self):
        return self._scalar().item()

    # Parts.
    def __getitem__(self, index):
        return ndarray(self._numbers[_index(index)])

    def __setitem__(self, index, value):
        self._numbers[_index(index)] = _inside(value)


def _index(index):
    """Return NumPy's index for the same part, as a view if possible, also for 0-d arrays."""
    parts = index if isinstance(index, tuple) else (index,)
    for part in parts:
        if isinstance(part, (np.ndarray, list)):
            raise TypeError(f"an index on the host, {type(part).__name__}, into an array on the device")
    inside = tuple(part._numbers if isinstance(part, ndarray) else part for part in parts)
    return inside if any(part is Ellipsis for part in inside) else (*inside, Ellipsis)


def _inside(value):
    """Return the operand for NumPy: the numbers of a device array, or a scalar of Python or NumPy."""
    if isinstance(value, ndarray):
        return value._numbers
    if value is None or isinstance(value, SCALARS):
        return value
    raise TypeError(f"{type(value).__name__} on the host meets an array on the device; use asarray")


def _argument(value):
    """The same for arguments of functions, which may also be shapes, types, names and sequences of arrays."""
    if isinstance(value, (list, tuple)):
        return type(value)(_argument(part) for part in value)
    return value if isinstance(value, (str, type, np.dtype)) else _inside(value)


def _wrapped(result):
    if isinstance(result, tuple):
        return tuple(_wrapped(part) for part in result)
    return ndarray(result)


def _on_device(function):
    def called(*arguments, out=None, **keywords):
        if out is not None and not isinstance(out, ndarray):
            raise TypeError("out must be an array on the device")
        inside = {name: _argument(value) for name, value in keywords.items()}
        if out is not None:
            inside["out"] = out._numbers
        result = function(*map(_argument, arguments), **inside)
        return _wrapped(result) if out is None else out

    called.__name__ = function.__name__
    return called


def _operator(name):
    method = getattr(np.ndarray, name)

    def operate(self, *others):
        result = method(self._numbers, *map(_inside, others))
        if result is NotImplemented:
            return result
        return self if result is self._numbers else ndarray(result)

    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    for _form in (f"__{_name}__", f"__r{_name}__", f"__i{_name}__"):
        setattr(ndarray, _form, _operator(_form))
for _form in (
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__eq__",
    "__ne__",
    "__neg__",
    "__pos__",
    "__abs__",
    "__invert__",
):
    setattr(ndarray, _form, _operator(_form))
for _name in METHODS:
    setattr(ndarray, _name, _on_device(getattr(np.ndarray, _name)))
for _name in FUNCTIONS:
    globals()[_name] = _on_device(getattr(np, _name))
for _name in CONSTANTS:
    globals()[_name] = getattr(np, _name)


def where(condition, x, y):
    if not isinstance(condition, ndarray):
        raise TypeError("the condition must be an array on the device")
    return ndarray(np.where(condition._numbers, _inside(x), _inside(y)))


def asarray(array, dtype=None):
    """Copy numbers to the device; device arrays are returned unchanged."""
    if isinstance(array, ndarray):
        return array if dtype is None or array.dtype == dtype else array.astype(dtype)
    return ndarray(np.array(array, dtype))


def asnumpy(array):
    """Copy an array to the host."""
    transfers.note(array.size)
    return array._numbers.copy()
