"""The stages of the sNODE pipeline: each is a program that reads stores, computes, writes one store and exits.

In the order of the data's flow:

    data/           MNIST or a user's images, resampled                  -> data/digits.zarr
    train/          training methods, batches, checkpoints               -> train/<model>/run<r>.zarr
    evaluate/       noise, sensitivity, uncertainty, solver swap         -> noise/, sensitivity/, uncertainty/, solvers/
    attack/         attacks on trained networks                          -> attack/<attack>/<model>/run<r>.zarr
    tables/, figures/, claims/, report/, playground/, publish/           what people look at
    zoo/, exchange/ trained networks to work with in Python, to other tools and from them

What they are built of:

    model/          the mathematics: the direct, adjoint and sensitivity problem, cost, gradients
    perturbations/  the geometry of perturbed images
    statistics/     all runs of a model, means and spreads; drawing/ sheets, colours and curves
    config/, plan/  the configuration, and what Snakemake asks while it plans
    storage/        stores and manifests; runtime/ command lines, errors, seeds, arrays; names/ what things are called

`catalogues.py` lists what can be added as one file. A module named with a verb (`train_network`) is the program of the
rule of that name and runs by hand: `python -m stages.train.train_network --help`.
"""

__version__ = "0.2.0"
