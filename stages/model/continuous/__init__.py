"""The three problems as ODEs in continuous time, for solvers other than Euler's method."""
