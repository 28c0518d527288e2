"""The reproduction shown: one page for readers, a summary for the terminal, and what is published of a finished run."""
