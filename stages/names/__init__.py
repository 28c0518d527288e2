"""What things are called: the names of models, and the labels that figures, tables and the report print."""
