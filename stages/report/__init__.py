"""The reproduction judged: verdicts on the paper's claims, one page for readers, and a summary for the terminal."""
