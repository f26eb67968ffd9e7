#!/usr/bin/env bash
# Runs as a Slurm array job, and merges when all parts have ended. If a node is lost, Slurm queues its part again, which
# continues from its journal, because OUT is on storage that all nodes share.
#
# usage: slurm.sh BATCHMARK OUT PARTS [scenarios and options of run…]
#   such as slurm.sh /opt/batchmark/batchmark /shared/night 6 Scenarios
#   or, with all scenarios on every node, slurm.sh /opt/batchmark/batchmark /shared/nodes 6 Scenarios --rounds 60 --rounds-per-shard
#   (PARTS is the number of nodes; with --exclusive, each node takes one part)
# SBATCH_OPTIONS has further options of sbatch, such as --partition or --exclusive.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
batchmark=$1 out=$2 parts=$3
shift 3
read -ra options <<<"${SBATCH_OPTIONS:-}"
mkdir -p "$out"

# One job per node at a time is best: use --exclusive if the cluster allows it.
job=$(printf ' %q' "$here/part.sh" "$batchmark")
array=$(sbatch --parsable --requeue --array="1-$parts" --output="$out/shard-%a.log" "${options[@]+"${options[@]}"}" \
  --wrap "exec $job $(printf '%q' "$out")/shard-\$SLURM_ARRAY_TASK_ID auto$(printf ' %q' "$@")")
printf 'slurm: job %s has %s parts\n' "$array" "$parts" >&2

# Merge even if parts failed: the merge names what is missing, and ends with the status of the run.
folders=()
for ((part = 1; part <= parts; part++)); do folders+=("$out/shard-$part"); done
sbatch --wait --dependency="afterany:$array" --output="$out/merge.log" "${options[@]+"${options[@]}"}" \
  --wrap "exec$(printf ' %q' "$batchmark" merge "${folders[@]}" --out "$out/report")"
