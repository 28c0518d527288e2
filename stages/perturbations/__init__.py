"""The geometry of perturbed images: balls of allowed norms, rows of dx(T)/dx(0), shortest perturbations."""
