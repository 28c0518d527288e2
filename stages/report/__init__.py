"""The report: one page for readers, and a summary for the terminal."""
