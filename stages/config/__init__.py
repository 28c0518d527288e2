"""The configuration: config.yaml, presets and the command line, the schema, and the checks before anything runs."""
