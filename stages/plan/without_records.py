"""The code of a figure or table without its record, which is for planning and for the report, not for the picture.

What a record decides reaches the program as settings, which Snakemake tracks separately. So the code identity excludes
the record, and what the file imports or defines only for it.
"""

import ast

RECORDS = "EXHIBITS"


def without_records(tree):
    """Return the syntax tree of a module without the record and without what only the record refers to."""
    record = next((node for node in tree.body if RECORDS in _bound(node)), None)
    if record is None:
        return tree
    tree.body.remove(record)
    for_records = _names(record)
    while unused := [node for node in tree.body if _only_for(node, for_records, tree.body)]:
        for node in unused:
            for_records |= _names(node)
            _forget(tree.body, node, _used(tree.body))
    return tree


def _only_for(node, names, body):
    """Tell whether a statement binds one of these names and no other statement uses it."""
    others = _used(each for each in body if each is not node)
    return any(name in names and name not in others for name in _bound(node))


def _forget(body, node, used):
    """Remove a statement; from an import, only the unused names."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        node.names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in used]
        if node.names:
            return
    body.remove(node)


def _bound(node):
    """Return the names that a module-level statement binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _used(nodes):
    return {name for node in nodes for name in _names(node)}


def _names(node):
    """Return the names that a statement refers to."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
