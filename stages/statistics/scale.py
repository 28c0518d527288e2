"""The scale of an experiment in one line below every figure, so that a small run is not mistaken for the paper's."""

ONE_RUN = "run 0 of each network"  # instead of the number of runs


def scale_line(scale, *more, runs=None):
    """Return the scale: "quick preset: 30 layers, 10,000 training digits, 1 epoch, 2 runs", followed by `more`."""
    layers = scale["layers"] if isinstance(scale["layers"], int) else f"{scale['layers'][0]} to {scale['layers'][-1]}"
    things = "images" if "own_images" in scale else "digits"
    parts = [f"{layers} layers", f"{scale['digits']:,} training {things}" if scale["digits"] else f"all {things}"]
    if scale["epochs"]:
        first, last = scale["epochs"][0], scale["epochs"][-1]
        parts.append(count(last, "epoch") if first == last else f"{first} to {last} epochs")
    parts.append(runs or runs_in_words(scale["runs"]))
    return "; ".join([f"{scale['preset']} preset: " + ", ".join(parts), *more])


def footer(settings, *more):
    """Return the footer of a figure: the scale, `more`, and what the bands are; a single run has none."""
    spread = "mean ± 1 standard deviation over runs" if len(settings["runs"]) > 1 else "no spread shown"
    return scale_line(settings["scale"], *more, spread)


def runs_in_words(runs):
    """Return "3 runs", or "1 to 3 runs" for a list."""
    return count(runs, "run") if isinstance(runs, int) else f"{runs[0]} to {runs[-1]} runs"


def count(number, thing):
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
