"""What Snakemake asks while it plans: models, stages, figures, tables, their settings and code, what jobs need."""
