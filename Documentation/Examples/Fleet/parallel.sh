#!/usr/bin/env bash
# A run on machines that ssh reaches, by GNU parallel, and its merge here. A part whose machine fails is taken on another one.
#
# usage: parallel.sh BATCHMARK HOSTS OUT PARTS [scenarios and options of run…]
#   BATCHMARK   the executable, at the same place on every machine, as are the scenarios
#   HOSTS       as in parallel's -S, with one job a machine: 1/one,1/two,1/three
# With --rounds-per-shard among the options, every part has all scenarios and a share of the rounds. Then give as many PARTS as
# there are machines: parallel takes parts in the order of machines that are free.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
batchmark=$1 hosts=$2 out=$3 parts=$4
shift 4
mkdir -p "$out"
out=$(cd "$out" && pwd)
cp "$here/part.sh" "$out/part.sh"

# Each part is taken in a folder of this run alone, so that none goes on with what another left, and comes back here.
folder=batchmark-fleet-$(date +%s)-$$
trap 'parallel --nonall -S "$hosts" rm -rf "$folder"' EXIT
# A broken budget (1) is a result too: the merge judges budgets.
cd "$out"
seq "$parts" | parallel -S "$hosts" --workdir "$folder" --basefile part.sh --return 'shard-{}' --cleanup --retries 3 --joblog jobs.log \
  "bash ./part.sh$(printf ' %q' "$batchmark") shard-{} {}/$parts$(printf ' %q' "$@"); status=\$?; [ \$status -eq 1 ] || exit \$status"

folders=()
for ((part = 1; part <= parts; part++)); do folders+=("shard-$part"); done
"$batchmark" merge "${folders[@]}" --out report
