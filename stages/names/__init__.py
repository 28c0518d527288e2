"""Names of models, and the labels, colours and number formats of figures, tables and the report."""
