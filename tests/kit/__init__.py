"""Shared code of the tests. Use `from kit import tolerances`: pytest puts tests/ on Python's path.

Independent references:
  reference_network, reference_convolution   the network and its cost written again, differentiated by JAX
  toolbox_classifier                         the Adversarial Robustness Toolbox, attacking our networks
  tolerances                                 named tolerances, each with its reason

Small networks and images:
  example_network, example_convolution       random networks, images and labels, far from their initial weights
  smooth_network                             weights that are smooth functions of time, of any depth
  digits                                     images that are easy to learn, and settings of a training
  attacked_digits                            networks trained in a second, good enough to be attacked

Devices:
  strict_device                              a substitute for a GPU that refuses whatever CuPy would refuse
  both_sides                                 the same network and training with NumPy and on the device

Made-up results, for claims, figures, tables, report and publishing:
  made_up_worlds                             outcomes of an experiment in which the paper's claims hold, or not
  made_up_stores                             the stores that such an experiment would leave
  one_attacked_network                       fixtures: such stores of one network with two runs
  finished_runs                              fixtures: such stores with figures, tables, verdicts and a report
  drawing                                    draw a figure or table by name, as its rule does
  publishing                                 a finished run that is called the paper's

Documents:
  documents                                  their list, blocks, links, headings and commands

The workflow:
  project_copy                               a copy of the project in a separate folder; digests of its results
  snakemake_project                          such a copy with a tiny experiment, run by snakemake as by a user
  tiny_workflow                              the smallest workflow with every stage: to be started, killed, resumed
  forked_snakemake, forked_jobs              snakemake and the jobs that it starts without waiting for their imports
  forked_programs                            stage programs without that wait, to be killed
  slurm_cluster, slurm_configuration         a Slurm cluster for the duration of a test
  training_on_slurm                          one training that such a cluster disturbs
"""
