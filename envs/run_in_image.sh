#!/usr/bin/env bash
# Run a command inside the image, in this directory and on its files, as the user that you are:
#   envs/run_in_image.sh cpu snakemake --profile workflow/profiles/default --cores 4
# Settings by environment: ENGINE=podman|docker, TAG=<image>, OPTIONS="<more options for the engine's run>".
set -eo pipefail # not -u: older bashes take an empty list for an unset name
source "$(dirname "$0")/engine.sh"

kind=$1
shift
case $ENGINE in
    *podman) user=(--userns=keep-id) gpu=(--device nvidia.com/gpu=all) ;;
    *) user=(--user "$(id -u):$(id -g)") gpu=(--gpus all) ;;
esac
if [[ $(id -u) == 0 ]]; then user=(); fi
if [[ $kind != gpu ]]; then gpu=(); fi
image=${TAG:-localhost/snode-$kind}
if ! "$ENGINE" image inspect "$image" > /dev/null 2>&1; then
    SAVE=no "$(dirname "$0")/build_image.sh" "$kind"
fi
# The clone is mounted where it is, so that paths mean the same inside and outside; home is a place to write caches.
clone=$(cd "$(dirname "$0")/.." && pwd)
mounts=(--volume "$clone:$clone")
if [[ $PWD != "$clone" ]]; then mounts+=(--volume "$PWD:$PWD"); fi
# shellcheck disable=SC2086 # OPTIONS is meant to be split
exec "$ENGINE" run --rm --network=host "${LIMITS[@]}" "${user[@]}" "${gpu[@]}" \
    "${mounts[@]}" --workdir "$PWD" --env HOME=/tmp --env PYTHONPATH="$clone/workflow/terminal" \
    ${OPTIONS:-} "$image" "$@"
