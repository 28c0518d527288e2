"""Tables and figures of the paper: reads the stores of all earlier stages, writes files for people.

A program computes nothing that another stage could have stored; it takes means over runs and draws.
"""
