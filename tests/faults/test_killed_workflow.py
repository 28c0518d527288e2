"""SIGKILL and Ctrl-C at random moments in every stage: the next command ends as if nothing had happened."""

import os
import random
import re
import shutil
import signal
import time

import pytest
from kit import tiny_workflow
from kit.tiny_workflow import RESULTS, sampled, share

pytestmark = pytest.mark.faults

# Target: what is removed first, so that the target has something to make.
STAGES = {
    "data": ["data/*"],
    "train": ["train/*"],
    "noise": ["noise/*"],
    "sensitivity": ["sensitivity/*"],
    "solvers": ["solvers/*"],
    "attacks": ["attack/cw", "attack/pgd-0.06/sgd_ce_tanh"],
    "tables": ["tables/table1*", "tables/table3*"],
    "figures": ["figures/fig_noise_accuracy*", "figures/fig_one_image*", "figures/fig_sensitivity_error*"],
    "claims": ["claims*"],
    "report": ["report.html"],
    "playground": ["playground.html"],
}
MOMENTS = ["at any time", "while a job runs", "while something is written"]


def interrupted(place, startup, number):
    """Start a stage on a copy from which its results were removed; return (target, process) at a random moment."""
    rng = random.Random(number)
    target = list(STAGES)[number % len(STAGES)]
    moment = MOMENTS[(number // len(STAGES) + number) % len(MOMENTS)]
    for pattern in STAGES[target]:
        for path in (place / RESULTS).glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    process = tiny_workflow.start(place, target)
    if moment == "at any time":
        time.sleep(rng.uniform(0, 2 * startup))
    elif moment == "while a job runs":
        tiny_workflow.wait_for(lambda: tiny_workflow.stage_programs(process), process)
        time.sleep(rng.uniform(0, startup / 2))
    else:
        tiny_workflow.wait_for(lambda: tiny_workflow.left_behind(place), process)
        time.sleep(rng.uniform(0, 0.01))
    return target, process


@pytest.mark.parametrize("number", sampled(share(0.25)))
def test_a_workflow_that_was_killed_is_finished_by_the_next_command(place, undisturbed, startup, number):
    target, process = interrupted(place, startup, number)
    tiny_workflow.kill(process)
    assert not tiny_workflow.vouched_damage(place)
    tiny_workflow.go_on(place, undisturbed, target)


@pytest.mark.parametrize("number", sampled(share(0.125)))
def test_a_job_that_was_killed_is_made_by_the_next_command(place, undisturbed, startup, number):
    target, process = interrupted(place, startup, 1000 + 3 * number)
    programs = tiny_workflow.wait_for(lambda: tiny_workflow.stage_programs(process), process)
    for program in (programs or [])[:1]:
        try:
            os.kill(program, signal.SIGKILL)
        except ProcessLookupError:
            programs = None
    status, said = tiny_workflow.finish(process, place)
    assert status == 0 or "failed: " in said, said
    assert not tiny_workflow.vouched_damage(place)
    tiny_workflow.go_on(place, undisturbed, target)


@pytest.mark.parametrize("number", sampled(share(0.1)))
def test_ctrl_c_leaves_nothing_to_mend(place, undisturbed, startup, number):
    target, process = interrupted(place, startup, 2000 + 3 * number)
    tiny_workflow.kill(process, signal.SIGINT)  # as a terminal sends it: to all
    status, said = tiny_workflow.finish(process, place)
    total = re.search(r"(\d+) jobs: ", said)
    if status and total and f"{total[1]}/{total[1]}" not in said:  # it was at work, and not just finished
        assert re.search(r"stopping: \d+ of \d+ jobs are done and stay as they are. The same command goes on", said), (
            said
        )
        assert "interrupted;" not in said, said  # the logs of jobs that got the signal, too, would hide that
        assert "did not complete" not in said, said
    assert not tiny_workflow.vouched_damage(place)
    tiny_workflow.go_on(place, undisturbed, target)


@pytest.mark.parametrize("number", share(0.05))
def test_a_main_process_that_dies_alone_leaves_jobs_that_do_no_harm(place, undisturbed, number):
    """The orphans go on; whoever obeys the message about --unlock at once has two writers of one store."""
    shutil.rmtree(place / RESULTS / "train")
    process = tiny_workflow.start(place, "train")
    tiny_workflow.wait_for(lambda: tiny_workflow.stage_programs(process), process)
    time.sleep(random.Random(number).uniform(0, 0.5))
    process.kill()
    process.wait()
    said = tiny_workflow.go_on(place, undisturbed, "train")
    tiny_workflow.kill(process)
    assert said


def test_a_whole_run_killed_again_and_again_ends_with_the_same_digests(tmp_path, undisturbed, startup):
    place = tiny_workflow.prepare(tmp_path / "place")
    rng = random.Random(0)
    for _ in share(0.1):
        process = tiny_workflow.start(place)
        time.sleep(rng.uniform(startup, 4 * startup))
        tiny_workflow.kill(process)
        tiny_workflow.run(place, "--unlock")
        assert not tiny_workflow.vouched_damage(place)
    tiny_workflow.go_on(place, undisturbed)
