"""The catalogue of training methods: one file each, with METHOD; base.py says what it must offer."""
