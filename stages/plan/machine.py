"""What a job needs of the machine, from the sizes of an experiment: memory in MB and minutes, more at each attempt.

A job also says which device it computes on, how many GPUs it takes (Slurm's partition and a workstation's queue follow
from it) and how much of a GPU's memory, so that several can share one.
"""

from stages.plan import experiment
from stages.train.device_memory import training_megabytes

PROGRAM_MB = 250 + 300  # Python, NumPy, xarray and Zarr; and the two Snakemakes around them in a Slurm job
CUDA_MB = 500  # of a GPU, for CUDA itself, cuBLAS and compiled kernels: an estimate, no GPU was at hand
FLOPS_A_MINUTE = 60 * 20e9  # what a slow core does


class Machine:
    def __init__(self, config):
        self.config = config
        self.depth, self.width = config["network"]["depth"], config["data"]["side"] ** 2
        self.bytes = 8 if config["network"]["precision"] == "float64" else 4
        self.train_images = config["data"]["train"] or 60000
        self.images = self.train_images + (config["data"]["test"] or 10000)
        self.weights_mb = self.depth * self.width * (self.width + 1) * self.bytes / 1e6
        self.digits_mb = self.images * self.width * 4 / 1e6
        # matplotlib, and a store with the copies that checking it takes
        self.figure_mb = int(PROGRAM_MB + 200 + 6 * self.weights_mb)

    def product_minutes(self, samples, products):
        """Return the minutes that `products` products a layer over `samples` columns take on a slow core."""
        return 2.0 * samples * products * self.depth * self.width**2 / FLOPS_A_MINUTE

    def resources(self, runtime, arrays, on_gpu=None):
        """Return a job's resources, for `arrays` MB beside the digits; on_gpu(wildcards): MB in all on a GPU."""
        device = self.config["execution"]["device"]
        gpus = int(device == "gpu")
        on_gpu = on_gpu or (lambda wildcards: self.digits_mb + arrays)
        return {
            "mem_mb": lambda wildcards, attempt: int(attempt * (PROGRAM_MB + 3 * self.digits_mb + arrays)),
            "runtime": runtime,
            "gpu": gpus,
            "gpu_mem_mb": lambda wildcards: gpus * int(CUDA_MB + on_gpu(wildcards)),
            "device": device,
        }

    def training(self, runs):
        batch = self.config["training"]["batch"]
        states = 4 * self.depth * self.width * batch * self.bytes / 1e6
        sizes = {"width": self.width, "depth": self.depth, "batch": batch, "itemsize": self.bytes}

        def on_gpu(wildcards):
            sobolev = experiment.trainer_of(self.config, wildcards.model)["gradient"] == "sobolev"
            return training_megabytes(**sizes, runs=runs, images=self.images, sobolev=sobolev)

        return self.resources(self.train_runtime(runs), runs * (6 * self.weights_mb + states), on_gpu)

    def train_runtime(self, runs):
        def minutes(wildcards, attempt):
            trainer = experiment.trainer_of(self.config, wildcards.model)
            samples = self.train_images * self.config["training"]["iterations"] * trainer["epochs"]
            cost = 10 if trainer["solver"] == "ode45" else 1.5
            return int(attempt * (10 + runs * cost * self.product_minutes(samples, 5)))

        return minutes

    def evaluating(self, runtime):
        blocks = 8 * self.depth * self.width * 200 * self.bytes / 1e6
        return self.resources(runtime, 6 * self.weights_mb + blocks)

    def evaluate_runtime(self, solves):
        """Return the minutes for `solves` direct solves of all images."""
        needed = 10 + solves * self.product_minutes(self.images, 1.5)
        return lambda wildcards, attempt: int(attempt * needed)

    @property
    def noise_runtime(self):
        noise = self.config["noise"]
        return self.evaluate_runtime(noise["draws"] * len(noise["std"]))

    @property
    def uncertainty_runtime(self):
        """The class rows cost 15 solves; then noise on the pixels and on the weights is measured."""
        noise, uncertainty = self.config["noise"], self.config["uncertainty"]
        return self.evaluate_runtime(15 + uncertainty["draws"] * (len(noise["std"]) + len(uncertainty["weight_std"])))

    def attacking(self):
        """States and slopes of a block, paths of a chunk, and each image once for each of nine targets."""
        block = (3 * self.depth + 200) * self.width * self.bytes * 1.0e-4
        images = 40 * self.config["attack"]["images"] * self.width * self.bytes / 1.0e6
        return self.resources(self.attack_runtime, 4 * self.weights_mb + block + images)

    def attack_runtime(self, wildcards, attempt):
        """Nine targets, 15 steps, 50 radii: more products than any of the paper's attacks makes."""
        return int(attempt * (10 + self.product_minutes(self.config["attack"]["images"], 20000)))
