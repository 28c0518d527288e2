"""Join plain JavaScript modules into one script: a page without a server cannot import files.

Each module becomes a function that returns its exports, in the order of the imports, so that names of different modules
do not collide. Only what the modules here use is supported: `import { a, b } from "./file.js";` on one or several
lines, and `export` before a function, class or const.
"""

import re

from stages.runtime.errors import UserError

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)


def bundle(folder, entry):
    """Return the module <folder>/<entry>.js with all its imports as one script."""
    parts = {}
    _add(folder, entry, parts, ())
    text = '"use strict";\n' + "\n".join(parts.values())
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise UserError(f"{folder}: wanted scripts that can stand in a page, found </script or <!-- in one")
    return text


def _add(folder, name, parts, importers):
    if name in importers:
        raise UserError(f"{folder / name}.js imports itself: {' -> '.join([*importers, name])}")
    if name in parts:
        return
    text = (folder / f"{name}.js").read_text()
    for _, imported in IMPORT.findall(text):
        _add(folder, imported, parts, (*importers, name))
    exports = ", ".join(exported for _, exported in EXPORT.findall(text))
    body = EXPORT.sub(r"\1 \2", IMPORT.sub(r"const {\1} = module_\2;", text))
    if left := re.search(r"^(import|export)\b.*", body, re.MULTILINE):
        raise UserError(f'{folder / name}.js: wanted `import {{ ... }} from "./x.js";`, found {left[0]!r}')
    parts[name] = f"const module_{name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();"
