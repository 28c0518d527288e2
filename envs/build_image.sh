#!/usr/bin/env bash
# Build the image localhost/snode-cpu or localhost/snode-gpu from the locked requirements:
#   envs/build_image.sh cpu
# Settings by environment: ENGINE=podman|docker, BASE=<image to build on>, TAG=<name>, PYTHON=<whose pip fetches packages>,
# SAVE=no (leaves out the archive that Apptainer reads).
set -eo pipefail # not -u: older bashes take an empty list for an unset name
cd "$(dirname "$0")/.."
source envs/engine.sh

kind=${1:-}
if [[ $kind != cpu && $kind != gpu ]]; then
    echo "error: wanted cpu or gpu, found '$kind': envs/build_image.sh cpu" >&2
    exit 1
fi
name=${TAG:-localhost/snode-$kind}
python=${PYTHON:-python3}
context=images/context-$kind

# The pip of this machine knows its way to the packages (index, mirror, proxy, certificates), so it fetches them here
# and the build needs no network. Where it cannot (another Python, another system), the build asks the index itself.
mkdir -p "$context/wheels"
cp "envs/$kind.txt" "$context/"
echo "fetching the packages of envs/$kind.txt"
if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
    --dest "$context/wheels" -r "envs/$kind.txt"; then
    echo "warning: $python could not fetch them; the build will ask the package index" >&2
fi

echo "building $name with $ENGINE"
"$ENGINE" build --network=host "${LIMITS[@]}" ${BASE:+--build-arg "BASE=$BASE"} \
    -f "envs/Containerfile.$kind" -t "$name" "$context"

if [[ ${SAVE:-yes} != no ]]; then
    rm -f "images/snode-$kind.tar"
    "$ENGINE" save -o "images/snode-$kind.tar" "$name"
    if command -v apptainer > /dev/null; then
        apptainer build --force "images/snode-$kind.sif" "docker-archive:images/snode-$kind.tar"
    else
        echo "images/snode-$kind.tar is ready; where Apptainer is:"
        echo "  apptainer build images/snode-$kind.sif docker-archive:images/snode-$kind.tar"
    fi
fi
