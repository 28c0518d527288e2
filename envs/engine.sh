# Sourced by the scripts beside: which container engine, and what it has to be told.
ENGINE=${ENGINE:-$(command -v podman || command -v docker || true)}
if ! command -v "$ENGINE" > /dev/null; then
    echo "error: wanted podman or docker, found ${ENGINE:-neither}; install one, or name it: CONTAINER=/path/to/podman for make, ENGINE= for the scripts in envs" >&2
    exit 1
fi
# Podman asks for a million open files and four million processes, which not every machine may grant.
LIMITS=()
if [[ $ENGINE == *podman ]]; then
    LIMITS=(--ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
fi
