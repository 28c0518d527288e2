"""JSON schemas of settings, as the entries of catalogues describe them: a number or a whole number, and its bounds."""

BOUNDS = {"least": "minimum", "above": "exclusiveMinimum", "most": "maximum", "below": "exclusiveMaximum"}


def number(description, **bounds):
    """Return the schema of a number; bounds: any of BOUNDS."""
    limits = {BOUNDS[name]: limit for name, limit in bounds.items()}
    return {"type": "number", **limits, "description": description}


def whole(description, **bounds):
    """Return the schema of a whole number."""
    return number(description, **bounds) | {"type": "integer"}
