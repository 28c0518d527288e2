# %% [markdown]
# # A tour in ten minutes
#
# Trained networks as data: open one with xarray, classify digits, follow one through depth, perturb it, attack it,
# plot. Editors such as VS Code, Spyder and PyCharm show this file as a notebook, one cell per `# %%`. It also runs as
# a script, from the clone:
#
#     .venv/bin/python workflow/docs/tour.py
#
# It uses a network of 150 layers that was trained at the paper's scale and the digits that come with the project.
# Nothing is trained or downloaded. It takes about ten seconds and writes one picture, tour.png.

# %%
import gzip
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

from stages.zoo import load, names

try:
    CLONE = Path(__file__).resolve().parents[2]
except NameError:  # a notebook that was started in the clone
    CLONE = Path()
if __name__ == "__main__" and "get_ipython" not in globals():
    matplotlib.use("agg")  # as a script: no window

# %% [markdown]
# ## A network is a store
#
# Every result of the pipeline is a Zarr store that xarray opens. This one has the weights W(t) and biases b(t) on the
# layers of the ODE x'(t) = σ(W(t) x(t) + b(t)), and the accuracy after each epoch of training. Every variable of
# every store: outputs.md, beside this file.

# %%
store = xr.open_zarr(CLONE / "workflow/published/networks/ncg_ce_relu.zarr")
print(store)
print("test accuracy after each epoch:", store["test_accuracy"].values)

# %% [markdown]
# ## The same network, to compute with

# %%
print("networks that come with the project:", ", ".join(names()))
net = load("ncg_ce_relu")
print(net)
weight_norm = np.linalg.norm(net.network.W, axis=(1, 2))

# %% [markdown]
# ## Classify
#
# 28 x 28 bytes are resampled to the 14 x 14 pixels that the network takes.


# %%
def shipped(name, header):
    """Return the bytes of a file of digits (IDX format) after its header."""
    with gzip.open(CLONE / f"workflow/sample/{name}-ubyte.gz") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


images = shipped("t10k-images-idx3", 16).reshape(-1, 28, 28)[:500]
labels = shipped("t10k-labels-idx1", 8)[:500]
predicted = net.classify(images)
accuracy = (predicted == labels).mean()
print(f"{100 * accuracy:.1f} % of {len(labels)} digits classified correctly ({net.taken})")

# %% [markdown]
# ## Follow a digit through depth
#
# The state starts as the image, and its first ten components end as the class scores.

# %%
one = int(np.flatnonzero(predicted == labels)[0])
x = net.trajectory(images[one])  # (node, neuron)
t = np.linspace(0, net.trained["network"]["interval"], len(x))
scores = x[:, : net.classes]
assert np.argmax(scores[-1]) == labels[one]

# %% [markdown]
# ## Perturb it
#
# The sensitivity problem carries a perturbation ξ(0) of the image through the network, to first order. A second solve
# measures what really happens.

# %%
pixels = x[0]
noisy = np.clip(pixels + 0.01 * np.random.default_rng(0).standard_normal(len(pixels)), 0, 1)
estimated = net.sensitivity(pixels, noisy - pixels)
measured = net.trajectory(noisy) - x
error = np.linalg.norm(estimated[-1] - measured[-1]) / np.linalg.norm(measured[-1])
print(f"relative difference at t = T between the estimated and the measured perturbation: {error:.2f}")

# %% [markdown]
# ## How certain is the answer
#
# One backward pass gives the distance to the nearest boundary between two classes, to first order.

# %%
answer = net.uncertainty(images[one])
print(
    f"class {answer['class']}, boundary to class {answer['behind']} at an l2 distance of about {answer['distance']:.2f}"
)

# %% [markdown]
# ## Attack it
#
# The sensitivity attack of the paper: the shortest perturbation that makes another class win, again and again.

# %%
attacked = net.attack(images[:100], labels[:100], "sensitivity", norm=0.7)
success = attacked.success[attacked.correct].mean()
print(f"{100 * success:.0f} % of the correctly classified digits are misclassified within an l2 norm of 0.7")
alone = net.attack(images[one], labels[one], "sensitivity")
print(f"the digit {labels[one]} becomes a {alone.predicted} at a norm of {alone.norm:.2f}")

# %% [markdown]
# ## Plot

# %%
figure, axes = plt.subplots(2, 3, figsize=(9, 5.5), layout="constrained")
axes[0, 0].plot(t[:-1], weight_norm)
axes[0, 0].set(title="weights through depth", xlabel="t", ylabel="‖W(t)‖")
axes[0, 1].plot(t, scores)
axes[0, 1].set(title=f"class scores of a {labels[one]}", xlabel="t")
axes[0, 2].plot(t, np.linalg.norm(estimated, axis=1), label="estimated")
axes[0, 2].plot(t, np.linalg.norm(measured, axis=1), "--", label="measured")
axes[0, 2].set(title="a perturbation through depth", xlabel="t")
axes[0, 2].legend()
side = (net.side, net.side)
panels = (pixels, alone.adversarial.ravel() - pixels, alone.adversarial)
for axis, panel, title in zip(
    axes[1], panels, ("image", "perturbation", f"a {alone.predicted} to the network"), strict=True
):
    axis.imshow(panel.reshape(side), cmap="gray")
    axis.set(title=title, xticks=[], yticks=[])
figure.savefig("tour.png", dpi=120)
