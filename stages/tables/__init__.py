"""The tables stage: one program per table, ours beside the paper's, as CSV, Markdown and LaTeX."""
