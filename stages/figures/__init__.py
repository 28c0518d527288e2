"""Figures: one program per figure, which reads stores of earlier stages.

A program computes nothing that another stage could have stored: it only takes means over runs and draws.
"""
