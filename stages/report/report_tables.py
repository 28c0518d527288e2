"""The paper's tables as tables of the report, ours beside its numbers."""

from stages.labels import combination_label, trainer_label
from stages.report import page
from stages.tables.layout import NOT_RUN, number, signed


def solvers(rows, name, note):
    """Table 1, as the paper prints it: one column a pair of solvers."""
    label = {"euler": "Euler", "ode45": "ODE45"}
    head = ["accuracy (%)"]
    for row in rows:
        pair = [label.get(row[key], row[key]) for key in ("train_solver", "inference_solver")]
        head.append(("", "number", f"trained {page.escape(pair[0])}<br>inferred {page.escape(pair[1])}"))
    body = [
        [title, *(_compared(row, quantity) for row in rows)]
        for quantity, title in (("train_accuracy", "training images"), ("test_accuracy", "test images"))
    ]
    return page.table(head, body, name=name, legend=_legend(note))


def accuracy(rows, name, note):
    """Table 2, as the paper prints it: rows trainers, columns losses and activations."""
    trainers = list(dict.fromkeys(row["trainer"] for row in rows))
    columns = list(dict.fromkeys((row["loss"], row["activation"]) for row in rows))
    found = {(row["trainer"], row["loss"], row["activation"]): row for row in rows}
    head = [
        "test accuracy (%)",
        *((combination_label(activation, loss), "number") for loss, activation in columns),
    ]
    body = [
        [
            (trainer_label(trainer), "key"),
            *(_compared(found.get((trainer, *column)), "test_accuracy") for column in columns),
        ]
        for trainer in trainers
    ]
    return page.table(head, body, name=name, legend=_legend(note))


def carlini_wagner(rows, name, note):
    """Table 3: one row a model; in each cell a line for each variant of the attack, and the paper's."""
    quantities = {"susceptible": "susceptible (%)", "mean_norm": "mean ℓ² norm", "max_norm": "largest ℓ² norm"}
    models = {}
    for row in rows:
        models.setdefault((row["trainer"], row["activation"], row["loss"]), []).append(row)
    body = []
    for (trainer, activation, loss), variants in models.items():
        labels = [*(f"ours, {row['outputs']}".removesuffix(", ") for row in variants), "paper"]
        cells = [_lines(labels, first="key soft")]
        for quantity in quantities:
            texts = []
            for row in variants:
                mean, std, _, _, difference = _numbers(row, quantity)
                texts.append(f"{number(mean, std)} ({signed(difference)})" if _ran(row) else NOT_RUN)
            texts.append(number(*_numbers(variants[0], quantity)[2:4]))
            cells.append(_lines(texts))
        body.append([(trainer_label(trainer), "key"), (combination_label(activation, loss), "key"), *cells])
    head = ["trainer", "model", "", *((title, "number") for title in quantities.values())]
    legend = "In brackets: the difference from the paper. The attack sees the class scores, or their softmax. "
    return page.table(head, body, name=name, legend=legend + note)


def plain(rows, name, note):
    """Any other table, as its file has it: means and spreads."""
    quantities = [key.removesuffix("_mean") for key in rows[0] if key.endswith("_mean")]
    keys = [key for key in rows[0] if not key.endswith(("_mean", "_std")) and key not in ("runs", "preset")]
    body = [
        [
            *((row[key], "key") for key in keys),
            *((number(_value(row[f"{each}_mean"]), _value(row[f"{each}_std"])), "number") for each in quantities),
        ]
        for row in rows
    ]
    head = [*keys, *((each.replace("_", " "), "number") for each in quantities)]
    return page.table(head, body, name=name, legend=note)


SHOWN = {"table1_solvers": solvers, "table2_accuracy": accuracy, "table3_cw": carlini_wagner}


def _legend(note):
    return f"Each cell: ours, the paper’s, and the difference. {note}"


def _compared(row, quantity):
    """A cell with three lines: ours, the paper's, the difference."""
    if row is None:
        return ("–", "number")
    mean, std, paper_mean, paper_std, difference = _numbers(row, quantity)
    return _lines([number(mean, std) if _ran(row) else NOT_RUN, number(paper_mean, paper_std), signed(difference)])


def _lines(texts, first="number"):
    """A cell with one line a text; the first is ours, the others stand back."""
    lines = [
        f'<span class="line{" soft" if place else ""}">{page.escape(text)}</span>' for place, text in enumerate(texts)
    ]
    return ("", first, "".join(lines))


def _ran(row):
    return row["runs"] != "0"


def _numbers(row, quantity):
    return [_value(row[f"{quantity}_{part}"]) for part in ("mean", "std", "paper_mean", "paper_std", "difference")]


def _value(text):
    return float(text) if text else None
