"""The configuration of the tests' Slurm cluster: nodes that are daemons on one machine, each with a port of its own.

Nodes declare fixed resources, independent of the machine, so that jobs are scheduled the same way everywhere. No
cgroups: they may be missing in a container or a virtual machine. Two partitions share the nodes, and `urgent` preempts
both. A job goes to the node with the least work (LLN). A node counts as lost after 5 s, a requeued job waits for 10 s
(cred_expire), memory is checked every second.
"""

HOST = "login"  # the controller's machine, from which jobs are submitted
FIRST_PORT = 17001

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={state}/munge.socket,cred_expire=10
StateSaveLocation={state}/slurmctld
SlurmdSpoolDir={state}/slurmd.%n
SlurmctldPidFile={state}/slurmctld.pid
SlurmdPidFile={state}/slurmd.%n.pid
SlurmctldLogFile={state}/slurmctld.log
SlurmdLogFile={state}/slurmd.%n.log
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
NodeName={nodes} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports} CPUs=2 RealMemory=16000 Gres=gpu:1 State=UNKNOWN
PartitionName=cpu Nodes={nodes} Default=YES PriorityTier=1 DefMemPerCPU=500 LLN=YES
PartitionName=gpu Nodes={nodes} PriorityTier=1 DefMemPerCPU=500 LLN=YES
PartitionName=urgent Nodes={nodes} PriorityTier=2 DefMemPerCPU=500 LLN=YES PreemptMode=OFF
"""
# A GPU in Slurm's books only: enough to see what is asked for and granted.
DEVICES = "NodeName={nodes} Name=gpu File=/dev/null\n"


def node_names(count):
    return [f"node{number}" for number in range(1, count + 1)]


def write_configuration(folder, state, count):
    """Write slurm.conf and gres.conf of a cluster with so many nodes, whose daemons keep what they need in `state`."""
    words = {
        "host": HOST,
        "state": state,
        "nodes": f"node[1-{count}]",
        "ports": f"[{FIRST_PORT}-{FIRST_PORT + count - 1}]",
    }
    (folder / "slurm.conf").write_text(CONFIGURATION.format(**words))
    (folder / "gres.conf").write_text(DEVICES.format(**words))
