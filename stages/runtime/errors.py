"""The one kind of error that a user can mend: shown as a message, never as a traceback."""


class UserError(Exception):
    """Says what was wanted, what was found and what to change."""
