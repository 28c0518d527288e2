"""The paper's tables and the claims' comparisons as tables of the report."""

from stages.figures import style
from stages.figures.tables import MINUS, number, signed
from stages.report import page

KINDS = {"holds": "holds", "does not hold": "fails", "not decided": "open"}


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
    return page.table(head, body, name=name, caption=_legend(note))


def accuracy(rows, name, note):
    """Table 2, as the paper prints it: rows trainers, columns losses and activations."""
    trainers = list(dict.fromkeys(row["trainer"] for row in rows))
    columns = list(dict.fromkeys((row["loss"], row["activation"]) for row in rows))
    found = {(row["trainer"], row["loss"], row["activation"]): row for row in rows}
    head = [
        "test accuracy (%)",
        *((style.combination_label(activation, loss), "number") for loss, activation in columns),
    ]
    body = [
        [
            (style.trainer_label(trainer), "key"),
            *(_compared(found.get((trainer, *column)), "test_accuracy") for column in columns),
        ]
        for trainer in trainers
    ]
    return page.table(head, body, name=name, caption=_legend(note))


def carlini_wagner(rows, name, note):
    """Table 3: one row a model and variant of the attack."""
    head = ["trainer", "model", "attack sees"]
    head += [(title, "number") for title in ("susceptible (%)", "mean ℓ² norm", "largest ℓ² norm")]
    body = [
        [
            (style.trainer_label(row["trainer"]), "key"),
            (style.combination_label(row["activation"], row["loss"]), "key"),
            row["outputs"],
            *(_compared(row, quantity) for quantity in ("susceptible", "mean_norm", "max_norm")),
        ]
        for row in rows
    ]
    return page.table(head, body, name=name, caption=_legend(note))


def comparisons(rows, claim):
    """Every comparison behind a claim."""
    head = ["comparison", "verdict", ("statistic", "number"), ("threshold", "number"), ("margin", "number")]
    body = []
    for row in rows:
        words = f"{row['group']}: {row['what']}" + (f" ({row['unit']})" if row["unit"] else "")
        if row["reason"]:
            words += f". {row['reason']}"
        shown = page.badge(row["verdict"], KINDS[row["verdict"]])
        numbers = [(_short(row[name]), "number") for name in ("statistic", "threshold", "margin")]
        body.append([words, ("", "", shown), *numbers])
    return page.table(head, body, name=f"comparisons-{claim}")


SHOWN = {"table1_solvers": solvers, "table2_accuracy": accuracy, "table3_cw": carlini_wagner}


def _legend(note):
    return f"Each cell: ours, the paper’s, and the difference. {note}"


def _compared(row, quantity):
    """A cell with three lines: ours, the paper's, the difference."""
    if row is None:
        return ("–", "number")
    mean, std, paper_mean, paper_std, difference = (
        _value(row[f"{quantity}_{part}"]) for part in ("mean", "std", "paper_mean", "paper_std", "difference")
    )
    lines = [
        f'<span class="cell">{number(mean, std)}</span>',
        f'<span class="cell paper">{number(paper_mean, paper_std)}</span>',
        f'<span class="cell paper">{signed(difference)}</span>',
    ]
    return ("", "number", "".join(lines))


def _value(text):
    return float(text) if text else None


def _short(text):
    return f"{float(text):.3g}".replace("-", MINUS) if text else "–"
