"""The three problems of a dense network by Euler's method, arranged for a GPU; imported only if CuPy is used.

The mathematics is that of stages.model.direct, .adjoint and .sensitivity; see their docstrings. Only the order differs:
a CPU makes every pass over the weights while a layer is in its cache; a GPU is fast with few launches on whole arrays.
So only what depends on the previous layer is done layer by layer, with two launches per layer (a product and a kernel);
the rest is done for all layers at once.
"""
