"""The stages of the sNODE pipeline: each is a program that reads stores, computes, writes one store and exits.

In the order of the workflow:

    data/           MNIST or a user's images, resampled                  -> data/digits.zarr
    train/          training methods, batches, checkpoints               -> train/<model>/run<r>.zarr
    evaluate/       noise, sensitivity, uncertainty, solver swap         -> noise/, sensitivity/, uncertainty/, solvers/
    attack/         attacks on trained networks                          -> attack/<attack>/<model>/run<r>.zarr
    tables/, figures/, claims/, report/, playground/, publish/           output for readers
    zoo/, exchange/ trained networks for use in Python, and for exchange with other tools

Shared parts:

    model/          the mathematics: the direct, adjoint and sensitivity problems, cost, gradients
    perturbations/  the geometry of perturbed images
    statistics/     all runs of a model, means and spreads; drawing/ layout, colours and curves
    config/, plan/  the configuration, and planning for Snakemake
    storage/        stores and manifests; runtime/ command lines, errors, seeds, arrays; names/ names and labels

`catalogues.py` lists what can be added as one file. A module named with a verb (`train_network`) is the program of the
rule of that name and runs by hand: `python -m stages.train.train_network --help`.
"""

__version__ = "0.2.0"
