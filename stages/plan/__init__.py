"""What Snakemake asks while it plans: an experiment's models, stages, figures and tables, their settings and code."""
