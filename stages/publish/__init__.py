"""What is published of a finished run, what is packed of a running one, and how both are laid out again."""
