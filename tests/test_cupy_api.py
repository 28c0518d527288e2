"""Everything that the mathematics calls on arrays exists in the installed CuPy, with the arguments used.

CuPy imports without a GPU, but computes nothing then; so the calls are read from the source and held against its
signatures. What they compute is shown by tests/test_device_purity.py on a stand-in.
"""

import ast
import inspect
import re
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from kit import strict_device

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns that there is no CUDA
    import cupy

FOLDERS = ("model", "perturbations", "train", "evaluate", "attack")
UFUNC_KEYWORDS = {"out", "dtype", "casting"}


@dataclass(frozen=True)
class Call:
    where: str
    name: str
    positional: int | None  # None: not called, or with a star
    keywords: tuple = ()


def sources(root):
    return [path for folder in FOLDERS for path in sorted((root / "stages" / folder).rglob("*.py"))]


def is_namespace(node):
    """Tell whether an expression is the module of the arrays: xp, self.xp or namespace(...)."""
    if isinstance(node, ast.Call):
        function = node.func
        return getattr(function, "id", getattr(function, "attr", "")) == "namespace"
    return (isinstance(node, ast.Name) and node.id == "xp") or (isinstance(node, ast.Attribute) and node.attr == "xp")


def arguments(node):
    starred = any(isinstance(argument, ast.Starred) for argument in node.args)
    return None if starred else len(node.args), tuple(keyword.arg for keyword in node.keywords if keyword.arg)


def functions_used(root):
    """Return every use of xp.name, with its arguments where it is called."""
    found = []
    for path in sources(root):
        tree = ast.parse(path.read_text())
        called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_namespace(node.value):
                where = f"{path.relative_to(root)}:{node.lineno}"
                call = called.get(id(node))
                found.append(Call(where, node.attr, *(arguments(call) if call else (None, ()))))
    return found


def methods_used(root):
    """Return every call of something that is a method of NumPy's arrays, unless it is a function of a module."""
    found = []
    for path in sources(root):
        tree = ast.parse(path.read_text())
        modules = {
            alias.asname or alias.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            name, owner = node.func.attr, node.func.value
            of_module = is_namespace(owner) or (isinstance(owner, ast.Name) and owner.id in modules)
            if callable(getattr(np.ndarray, name, None)) and not of_module:
                found.append(Call(f"{path.relative_to(root)}:{node.lineno}", name, *arguments(node)))
    return found


def signature_of_method(name):
    """Read a method's signature from the first line of its documentation; it is compiled and has no other."""
    text = (getattr(cupy.ndarray, name).__doc__ or "").partition("\n")[0]
    inside = re.match(r"\w+\.\w+\((.*?)\)(?: ->.*)?$", text).group(1)
    inside = re.sub(r"\b(Py_ssize_t|bint|int|str|dtype)\s+(?=\w)", "", inside)  # C types
    namespace = {}
    exec(f"def {name}({inside}): pass", namespace)
    signature = inspect.signature(namespace[name])
    return signature.replace(parameters=list(signature.parameters.values())[1:])  # without self


def problem_with(call, target, signature):
    """Return why CuPy would refuse the call, or None."""
    if isinstance(target, cupy.ufunc):
        too_many = call.positional is not None and call.positional > target.nin + target.nout
        unknown = set(call.keywords) - UFUNC_KEYWORDS
        return f"{call}: a ufunc of {target.nin} inputs" if too_many or unknown else None
    if call.positional is None:
        return None
    try:
        signature.bind(*[None] * call.positional, **dict.fromkeys(call.keywords))
    except TypeError as error:
        return f"{call}: {error}; CuPy has {signature}"
    return None


def test_the_search_finds_the_calls(root):
    functions = {call.name for call in functions_used(root)}
    products = [call for call in functions_used(root) if call.name == "matmul"]
    methods = {call.name for call in methods_used(root)}
    assert {"matmul", "where", "einsum", "concatenate", "take_along_axis"} <= functions
    assert ("out",) in {call.keywords for call in products}
    assert {"astype", "sum", "argmax", "swapaxes", "reshape"} <= methods


def test_every_namespace_is_called_xp(root):
    """Else the search would miss what is called on it."""
    for path in sources(root):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Assign):
                continue
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple):
                pairs = zip(node.targets[0].elts, node.value.elts, strict=False)
            for target, value in pairs:
                if isinstance(value, ast.Call) and is_namespace(value):
                    assert is_namespace(target), f"{path}:{node.lineno}"


def test_every_function_exists_with_these_arguments(root):
    problems = []
    for call in functions_used(root):
        target = getattr(cupy, call.name, None)
        if target is None:
            problems.append(f"{call}: not in CuPy")
        elif callable(target) and not isinstance(target, type):
            signature = None if isinstance(target, cupy.ufunc) else inspect.signature(target)
            problems.append(problem_with(call, target, signature))
    assert not [problem for problem in problems if problem]


def test_every_method_exists_with_these_arguments(root):
    problems = []
    for call in methods_used(root):
        if not hasattr(cupy.ndarray, call.name):
            problems.append(f"{call}: not a method of CuPy's arrays")
        else:
            problems.append(problem_with(call, None, signature_of_method(call.name)))
    assert not [problem for problem in problems if problem]


@pytest.mark.parametrize("name", strict_device.FUNCTIONS)
def test_the_stand_in_offers_nothing_that_cupy_lacks(name):
    assert hasattr(cupy, name)
    assert hasattr(np, name) or name == "asnumpy"


@pytest.mark.parametrize("name", strict_device.METHODS)
def test_the_stand_ins_arrays_offer_nothing_that_cupys_lack(name):
    assert hasattr(cupy.ndarray, name)
