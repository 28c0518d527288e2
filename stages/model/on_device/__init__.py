"""The three problems of a dense network by Euler's method, arranged for a GPU; imported only where CuPy computes.

The mathematics is that of stages.model.direct, .adjoint and .sensitivity, whose docstrings have it. What differs is the
order: a CPU makes every pass over the weights while a layer is in its cache; a device wants few launches and whole
arrays. So only what must wait for the layer before is done layer by layer, two launches per layer (a product and a
kernel), and the rest for all layers at once.
"""
