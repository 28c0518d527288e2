"""Planning: models, stages, figures and tables, their settings and code identities, and the resources of jobs."""
