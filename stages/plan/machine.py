"""The resources of a job, from the sizes of an experiment: memory in MB and minutes, more at each attempt.

They also include the device, the number of GPUs (which decides Slurm's partition and a workstation's queue) and the GPU
memory, so that several jobs can share a GPU.
"""

from math import prod

from stages.catalogues import METHODS, SOLVERS
from stages.plan import experiment
from stages.train.device_memory import training_megabytes

PROGRAM_MB = 250 + 300  # Python, NumPy, xarray and Zarr; and two Snakemake processes around them in a Slurm job
CUDA_MB = 500  # GPU memory of CUDA itself, cuBLAS and compiled kernels: an estimate, no GPU was available
FLOPS_A_MINUTE = 60 * 20e9  # of a slow core


class Sizes:
    """The sizes of a model's network and its images."""

    def __init__(self, config, model):
        network, trainer = experiment.network_of(config, model), experiment.trainer_of(config, model)
        affine, self.number = experiment.affine_map_of(config, model), 8 if network["precision"] == "float64" else 4
        images = sum(experiment.images(config).values())
        self.depth, self.width = network["depth"], affine.width
        self.weights_mb = self.depth * (prod(affine.shape) + affine.shape[0]) * self.number / 1e6
        self.digits_mb = images * affine.inputs * 4 / 1e6
        self.state_mb = affine.width * self.number / 1e6  # of one image
        self.states = 1 + SOLVERS.find(trainer["solver"]).kept_states  # of all layers, in a training
        self.block = affine.inputs / affine.width  # of images that are solved at once, of a dense network's
        self.copies = affine.copies
        self.products = prod(affine.shape) * affine.width / affine.shape[0] * affine.slowness


class Machine:
    def __init__(self, config):
        self.config = config
        self.train_images = experiment.images(config)["train"]
        self.images = sum(experiment.images(config).values())
        self.sizes = {model: Sizes(config, model) for model in experiment.all_models(config)}
        # matplotlib, and a store with the copies that its check makes
        self.figure_mb = int(PROGRAM_MB + 200 + 6 * max(sizes.weights_mb for sizes in self.sizes.values()))

    def product_minutes(self, model, samples, products):
        """Return the minutes of `products` products per layer over `samples` columns on a slow core."""
        sizes = self.sizes[model]
        return 2.0 * samples * products * sizes.depth * sizes.products / FLOPS_A_MINUTE

    def resources(self, minutes, arrays, on_gpu=None):
        """Return a job's resources.

        minutes(model): of computing; arrays(sizes): MB besides the digits; on_gpu(model): total MB on a GPU.
        """
        device = self.config["execution"]["device"]
        gpus = int(device == "gpu")

        def memory(wildcards, attempt):
            sizes = self.sizes[wildcards.model]
            return int(attempt * (PROGRAM_MB + 3 * sizes.digits_mb + arrays(sizes)))

        def runtime(wildcards, attempt):
            return int(attempt * (10 + minutes(wildcards.model)))

        def gpu_memory(wildcards):
            sizes = self.sizes[wildcards.model]
            return int(CUDA_MB + (on_gpu(wildcards.model) if on_gpu else sizes.digits_mb + arrays(sizes)))

        of_gpu = {"gpu": gpus, "gpu_mem_mb": gpu_memory if gpus else 0}
        return {"mem_mb": memory, "runtime": runtime, "device": device} | of_gpu

    def training(self, runs):
        batch = self.config["training"]["batch"]

        def minutes(model):
            trainer = experiment.trainer_of(self.config, model)
            samples = self.train_images * experiment.training_of(self.config, model, "iterations") * trainer["epochs"]
            return runs * SOLVERS.find(trainer["solver"]).slowness * self.product_minutes(model, samples, 5)

        def arrays(sizes):
            return runs * (6 * sizes.weights_mb + (sizes.states * sizes.depth + sizes.copies) * sizes.state_mb * batch)

        def on_gpu(model):
            sizes, trainer = self.sizes[model], experiment.trainer_of(self.config, model)
            if sizes.copies:  # a convolution uses the code path of the host
                return sizes.digits_mb + arrays(sizes)
            of_network = {"width": sizes.width, "depth": sizes.depth, "itemsize": sizes.number}
            of_trainer = {
                "weight_arrays": METHODS.find(trainer["method"]).weight_arrays + (trainer["gradient"] == "sobolev"),
                "kept_states": SOLVERS.find(trainer["solver"]).kept_states,
                "moved": trainer.get("robust", {}).get("share", 0.0),
            }
            return training_megabytes(**of_network, **of_trainer, batch=batch, runs=runs, images=self.images)

        return self.resources(minutes, arrays, on_gpu)

    def evaluating(self, solves):
        """Resources for `solves` direct solves of all images."""

        def minutes(model):
            return solves * self.product_minutes(model, self.images, 1.5)

        def arrays(sizes):
            blocks = (8 * sizes.depth + sizes.copies) * sizes.state_mb * 200 * sizes.block
            return 6 * sizes.weights_mb + blocks

        return self.resources(minutes, arrays)

    @property
    def noise_solves(self):
        noise = self.config["noise"]
        return noise["draws"] * len(noise["std"])

    @property
    def uncertainty_solves(self):
        """15 solves for the class rows, then the measurements with noise on pixels and on weights."""
        noise, uncertainty = self.config["noise"], self.config["uncertainty"]
        return 15 + uncertainty["draws"] * (len(noise["std"]) + len(uncertainty["weight_std"]))

    def attacking(self):
        """Memory for states and slopes of a block, paths of a chunk, and each image once per target (nine).

        Minutes for nine targets, 15 steps, 50 radii: more products than any of the paper's attacks needs.
        """
        images = self.config["attack"]["images"]

        def minutes(model):
            return self.product_minutes(model, images, 20000)

        def arrays(sizes):
            block = (3 * sizes.depth + sizes.copies + 200) * sizes.state_mb * 100
            return 4 * sizes.weights_mb + block + 40 * images * sizes.state_mb

        return self.resources(minutes, arrays)
