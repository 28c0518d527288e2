"""The tables stage: one program a table, ours beside the paper's, as CSV, Markdown and LaTeX."""
