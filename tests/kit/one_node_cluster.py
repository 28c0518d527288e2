"""A Slurm cluster of one node for the duration of a test.

It runs in separate namespaces (mounts, processes, network, host name): its configuration is at /etc/slurm, where the
jobs look for it, without touching the machine's; its daemons have their own loopback interface; and when its first
process ends, the kernel ends every daemon and job with it. It needs Debian's slurm-wlm and munge, and root.
"""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "setpriv", "unshare", "nsenter", "ip")
SYSTEM_PATHS = "/usr/sbin:/sbin"  # Debian's folders of the daemons, not always on PATH
NODE = "node1"

# The node declares fixed resources, independent of the machine, so that jobs are scheduled the same way everywhere. No
# cgroups: they may be missing in a container or a virtual machine. Two partitions share the node, and `urgent` preempts
# both. A node counts as lost after 5 s, a requeued job waits for 10 s (cred_expire), memory is checked every second.
CONFIGURATION = f"""
ClusterName=test
SlurmctldHost={NODE}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={{state}}/munge.socket,cred_expire=10
StateSaveLocation={{state}}/slurmctld
SlurmdSpoolDir={{state}}/slurmd
SlurmctldPidFile={{state}}/slurmctld.pid
SlurmdPidFile={{state}}/slurmd.pid
SlurmctldLogFile={{state}}/slurmctld.log
SlurmdLogFile={{state}}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=1,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
ReturnToService=2
SlurmdTimeout=5
KillWait=2
MinJobAge=3600
GresTypes=gpu
NodeName={NODE} CPUs=2 RealMemory=16000 Gres=gpu:1 State=UNKNOWN
PartitionName=cpu Nodes={NODE} Default=YES PriorityTier=1 DefMemPerCPU=500
PartitionName=gpu Nodes={NODE} PriorityTier=1 DefMemPerCPU=500
PartitionName=urgent Nodes={NODE} PriorityTier=2 DefMemPerCPU=500 PreemptMode=OFF
"""
# A GPU that only exists in Slurm's accounting: enough to see what is requested and granted.
DEVICES = f"NodeName={NODE} Name=gpu File=/dev/null\n"


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


# The first process of the namespaces ends with the test's process, in any case.
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
    """The running cluster; `run` runs a command on its node, which is also its login node."""

    def __init__(self, folder):
        self.state = Path(folder)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self.environment["PATH"] = f"{os.environ['PATH']}:{SYSTEM_PATHS}"

    def start(self):
        configuration = self.state / "etc"
        for name in ("etc", "slurmctld", "slurmd"):
            (self.state / name).mkdir()
        (configuration / "slurm.conf").write_text(CONFIGURATION.format(state=self.state))
        (configuration / "gres.conf").write_text(DEVICES)
        key = self.state / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)

        self._holder = subprocess.Popen([*_NEW_NAMESPACES, "bash", "-c", "sleep infinity & wait"], env=self.environment)
        self._first = wait_for(lambda: _first_child(self._holder.pid), "the namespaces")
        wait_for(lambda: self.run("true").returncode == 0, "a process in the namespaces")
        Path("/etc/slurm").mkdir(exist_ok=True)
        self.must("hostname", NODE)
        self.must("ip", "link", "set", "lo", "up")
        # To the resolver, a machine with only 127.0.0.1 has no IPv4: add an address of the documentation range.
        self.must("ip", "address", "add", "192.0.2.1/32", "dev", "lo")
        hosts = self.state / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {NODE}\n")
        self.must("mount", "--bind", str(hosts), "/etc/hosts")
        self.must("mount", "--bind", str(configuration), "/etc/slurm")
        files = [f"--{kind}-file={self.state}/munge.{kind}" for kind in ("key", "pid", "log", "seed")]
        self.must("munged", "--force", f"--socket={self.state}/munge.socket", *files)
        self.must("slurmctld")
        self.start_node()

    def stop(self):
        """End the first process of the namespaces, and so all of them."""
        self._holder.kill()
        self._holder.wait()

    def command(self, *words):
        """Return the command line that runs `words` on the node."""
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

    def start_node(self):
        """Start the node's daemon and wait until the controller can use it."""
        self.must("slurmd")
        wait_for(lambda: self.node_state() in ("idle", "mixed", "allocated"), "an idle node", self.logs)

    def kill_node(self):
        """Kill the node as by a power failure: the daemon and all processes under it, jobs and their steps."""
        names = ("slurmd", "slurmstepd")
        daemons = [
            line.split()[0]
            for line in self.must("ps", "-e", "-o", "pid=,comm=").splitlines()
            if line.split()[1] in names
        ]
        jobs = self.must("squeue", "--states=running", "--noheader", "--format=%i").split()
        children = [pid for job in jobs for pid in self._processes_of(job)]
        self.run("kill", "-9", *daemons, *children)

    def _processes_of(self, job):
        """Return the processes with this job's number in their environment."""
        mark = f"SLURM_JOB_ID={job}\0"
        script = f"grep -lsaF {mark[:-1]!r} /proc/[0-9]*/environ"
        return [path.split("/")[2] for path in self.run("bash", "-c", script).stdout.split()]

    def node_state(self):
        return self.run("sinfo", "--noheader", "--format=%T", "--partition=cpu").stdout.strip().rstrip("*")

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
