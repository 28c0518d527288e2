"""Number formats for people: means with their spread, differences, durations."""

MINUS = "−"


def number(mean, std, digits=2, plus_minus=" ± "):
    """Write 97.92 ± 0.14; a dash for no number."""
    if mean is None:
        return "–"
    return f"{mean:.{digits}f}" if std is None else f"{mean:.{digits}f}{plus_minus}{std:.{digits}f}"


def signed(value, digits=2):
    """Write +0.12 or −0.12; a dash for no number."""
    if value is None:
        return "–"
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if float(text) else f"{0:.{digits}f}"


def significant(value, digits):
    """Write a number with this many significant digits, or as an integer if it has more in front of the point."""
    return (f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}").replace("-", MINUS)


def duration(seconds):
    """Write seconds as 0.3 s, 45 s, 12 min or 3 h 05 min."""
    if seconds < 59.5:
        return f"{seconds:.2g} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
