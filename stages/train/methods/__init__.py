"""The catalogue of training methods: one file each, which defines METHOD; base.py has the interface."""
