"""The rows of the paper: trainers and losses of Table 2, and its attacks, by their names in config.yaml."""

TRAINERS = ("sgd", "sgd-wd", "ncg", "ncg-wd", "ncg-sobolev")
LOSSES = ("ce", "l2")
ATTACKS = ("sensitivity", "sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm", "cw")
