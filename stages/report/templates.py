"""Pages and documents from templates, which are beside the programs that fill them."""

from stages.claims import counted
from stages.names.numbers import MINUS, duration


def render(template, content):
    """Return the template at this path filled with `content`; in web pages all inserted text is escaped."""
    import jinja2  # here, so that --help does not wait for it

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template.parent),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=lambda name: name.endswith(".html.j2"),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {"duration": duration, "digits": _digits, "listed": _listed, "counted": counted}
    environment.filters |= filters | {"two_decimals": _two_decimals}
    return environment.get_template(template.name).render(content)


def _digits(text):
    return f"{float(text):.3g}".replace("-", MINUS) if text else "–"


def _two_decimals(text):
    return f"{float(text):.2f}".replace("-", MINUS)


def _listed(versions):
    return ", ".join(f"{name} {version}" for name, version in versions)
