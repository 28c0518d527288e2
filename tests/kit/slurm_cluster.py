"""A Slurm cluster of one node or several for the duration of a test.

It runs in separate namespaces (mounts, processes, network, host name): its configuration is at /etc/slurm, where the
jobs look for it, without touching the machine's; its daemons, one per node, have their own loopback interface; and when
its first process ends, the kernel ends every daemon and job with it. It needs Debian's slurm-wlm and munge, and root.
"""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

from kit.slurm_configuration import HOST, node_names, write_configuration

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "setpriv", "unshare", "nsenter", "ip")
SYSTEM_PATHS = "/usr/sbin:/sbin"  # Debian's folders of the daemons, not always on PATH


def why_impossible():
    """Return why this machine cannot run the cluster, or None."""
    missing = [program for program in PROGRAMS if not _which(program)]
    if missing:
        return f"no {', '.join(missing)}: apt-get install slurm-wlm munge iproute2"
    if os.geteuid():
        return "Slurm's daemons need root"
    probe = subprocess.run([*_NEW_NAMESPACES, "true"], capture_output=True, text=True)
    return f"no namespaces: {probe.stderr.strip()}" if probe.returncode else None


def _which(program):
    return shutil.which(program, path=f"{os.environ['PATH']}:{SYSTEM_PATHS}")


# The first process of the namespaces dies with the test's, however that ends.
_NEW_NAMESPACES = [
    "setpriv",
    "--pdeathsig=KILL",
    "unshare",
    "--mount",
    "--pid",
    "--net",
    "--uts",
    "--fork",
    "--kill-child",
    "--mount-proc",
]


class Cluster:
    """The running cluster; `run` runs a command on its login node.

    nodes: how many; node_sees: {folder: another} that the nodes' jobs see in place of a folder, as if it were mounted
    there.
    """

    def __init__(self, folder, nodes=1, node_sees=None):
        self.state, self.nodes, self.node_sees = Path(folder), node_names(nodes), node_sees or {}
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self.environment["PATH"] = f"{os.environ['PATH']}:{SYSTEM_PATHS}"

    def start(self):
        configuration = self.state / "etc"
        for name in ("etc", "slurmctld", *(f"slurmd.{node}" for node in self.nodes)):
            (self.state / name).mkdir()
        write_configuration(configuration, self.state, len(self.nodes))
        key = self.state / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)

        self._holder = subprocess.Popen([*_NEW_NAMESPACES, "bash", "-c", "sleep infinity & wait"], env=self.environment)
        self._first = wait_for(lambda: _first_child(self._holder.pid), "the namespaces")
        wait_for(lambda: self.run("true").returncode == 0, "a process in the namespaces")
        Path("/etc/slurm").mkdir(exist_ok=True)
        self.must("hostname", HOST)
        self.must("ip", "link", "set", "lo", "up")
        # The resolver takes a machine with 127.0.0.1 alone for one without IPv4: add an address for documentation.
        self.must("ip", "address", "add", "192.0.2.1/32", "dev", "lo")
        hosts = self.state / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {HOST}\n")
        self.must("mount", "--bind", str(hosts), "/etc/hosts")
        self.must("mount", "--bind", str(configuration), "/etc/slurm")
        files = [f"--{kind}-file={self.state}/munge.{kind}" for kind in ("key", "pid", "log", "seed")]
        self.must("munged", "--force", f"--socket={self.state}/munge.socket", *files)
        self.must("slurmctld")
        for node in self.nodes:
            self.start_daemon(node)
        wait_for(lambda: all(self.works(node) for node in self.nodes), "idle nodes", self.logs)

    def stop(self):
        """End the first process of the namespaces, and so all of them."""
        self._holder.kill()
        self._holder.wait()

    def command(self, *words):
        """Return the command line that runs `words` on the login node."""
        return ["nsenter", "-t", str(self._first), "--mount", "--pid", "--net", "--uts", "--wd=.", "--", *words]

    def run(self, *words, **options):
        return subprocess.run(
            self.command(*words), **{"env": self.environment, "capture_output": True, "text": True, **options}
        )

    def must(self, *words):
        """Run a command that has to succeed; return what it printed."""
        done = self.run(*words)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)} failed: {done.stdout}{done.stderr}{self.logs()}")
        return done.stdout

    def start_daemon(self, node):
        """Start the daemon that is a node, with the folders that its jobs see."""
        mounts = [f"mount --bind '{other}' '{folder}'" for folder, other in self.node_sees.items()]
        self.must("unshare", "--mount", "bash", "-c", " && ".join([*mounts, f"slurmd -N {node}"]))

    def start_node(self, node="node1"):
        """Start a node and wait until the controller gives it work."""
        self.start_daemon(node)
        wait_for(lambda: self.works(node), f"{node} to be idle", self.logs)

    def kill_node(self, node="node1"):
        """Let a node die as if its power went: the daemon and all that runs under it, jobs and their steps."""
        jobs = self.jobs_on(node)
        processes = [line.split(maxsplit=1) for line in self.must("ps", "-e", "-o", "pid=,args=").splitlines()]
        ours = [f"slurmd -N {node}", *(f"slurmstepd: [{job}." for job in jobs)]
        daemons = [pid for pid, words in processes if words.startswith(tuple(ours))]
        children = [pid for job in jobs for pid in self._processes_of(job)]
        self.run("kill", "-9", *daemons, *children)

    def jobs_on(self, node):
        """Return the numbers of the jobs that run on a node."""
        return self.must("squeue", "--states=running", f"--nodelist={node}", "--noheader", "--format=%i").split()

    def _processes_of(self, job):
        """Return the processes that carry this job's number in their environment."""
        script = f"grep -lszxF SLURM_JOB_ID={job} /proc/[0-9]*/environ"  # -z, -x: 1 is not 12
        return [path.split("/")[2] for path in self.run("bash", "-c", script).stdout.split()]

    def node_state(self, node="node1"):
        # Of all nodes: asked for one alone, sinfo may answer with what it was.
        text = self.run("sinfo", "--Node", "--noheader", "--partition=cpu", "--format=%N %T").stdout
        states = dict(line.split() for line in text.splitlines())
        return states.get(node, "").rstrip("*")

    def works(self, node):
        """Tell whether the controller gives work to a node."""
        return self.node_state(node) in ("idle", "mixed", "allocated")

    def jobs(self):
        """Return [{field: text}] of all jobs so far, by number."""
        fields = {
            "job": "%i",
            "state": "%T",
            "partition": "%P",
            "cpus": "%C",
            "memory": "%m",
            "name": "%k",
            "gres": "%b",
            "node": "%N",
        }
        text = self.must("squeue", "--states=all", "--noheader", f"--format={'|'.join(fields.values())}")
        jobs = [dict(zip(fields, line.split("|"), strict=True)) for line in text.splitlines()]
        return sorted(jobs, key=lambda job: int(job["job"]))

    def logs(self):
        """Return the ends of the daemons' logs, for the message of a failed test."""
        ends = []
        for path in sorted(self.state.glob("*.log")):
            with contextlib.suppress(OSError):
                ends.append(f"\n== {path.name}\n" + "\n".join(path.read_text().splitlines()[-20:]))
        return "".join(ends)


def _first_child(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else None


def wait_for(condition, what, explain=lambda: "", seconds=60):
    """Return the condition's first true value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise TimeoutError(f"waited {seconds} s for {what}{explain()}")
