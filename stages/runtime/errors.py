"""The error type for what a user can fix: shown as a message, never as a traceback."""


class UserError(Exception):
    """Says what was wanted, what was found and what to change."""
