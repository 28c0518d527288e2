"""A claim's comparisons as a bar: clearly for, leaning for, leaning against, clearly against, not run."""

from stages.claims import AGAINST, FOR, LEANS_AGAINST, LEANS_FOR, NOT_JUDGED, STATES

BLOCKS = {FOR: "█", LEANS_FOR: "▓", LEANS_AGAINST: "▒", AGAINST: "░", NOT_JUDGED: "·"}
WIDTH = 16
LEGEND = ", ".join(f"{BLOCKS[state]} {state}" for state in STATES)


def text_bar(counts, width=WIDTH):
    """Return a bar of blocks: one per comparison, or as many as fit, with at least one for each state that occurs."""
    total = sum(counts.values())
    if total <= width:
        return "".join(BLOCKS[state] * counts[state] for state in STATES)
    there = [state for state in STATES if counts[state]]
    blocks = {state: max(1, round(width * counts[state] / total)) for state in there}
    while sum(blocks.values()) != width:  # rounding may be off by one or two: the longest part is adjusted
        longest = max(there, key=blocks.get)
        blocks[longest] += 1 if sum(blocks.values()) < width else -1
    return "".join(BLOCKS[state] * blocks[state] for state in there)


def told(counts, with_blocks=False):
    """Return a bar in words: 12 clearly for, 1 leaning against."""
    blocks = {state: f"{BLOCKS[state]} " if with_blocks else "" for state in STATES}
    return ", ".join(f"{blocks[state]}{counts[state]} {state}" for state in STATES if counts[state])
