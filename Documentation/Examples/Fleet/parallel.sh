#!/usr/bin/env bash
# Runs on machines reachable by ssh, with GNU parallel, and merges here. If a machine fails, another one takes its part.
#
# usage: parallel.sh BATCHMARK HOSTS OUT PARTS [scenarios and options of run…]
#   BATCHMARK   the executable; it and the scenarios have the same path on every machine
#   HOSTS       as in parallel's -S, with one job per machine: 1/one,1/two,1/three
# With --rounds-per-shard, every part has all scenarios and a share of the rounds. Then PARTS is the number of machines:
# parallel gives the next part to the next free machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
batchmark=$1 hosts=$2 out=$3 parts=$4
shift 4
mkdir -p "$out"
out=$(cd "$out" && pwd)
cp "$here/part.sh" "$out/part.sh"

# Each part runs in a folder of this run alone, so that it cannot continue another run's part, and is then copied back.
folder=batchmark-fleet-$(date +%s)-$$
trap 'parallel --nonall -S "$hosts" rm -rf "$folder"' EXIT
# An exceeded budget (1) is a result too: the merge judges budgets.
cd "$out"
seq "$parts" | parallel -S "$hosts" --workdir "$folder" --basefile part.sh --return 'shard-{}' --cleanup --retries 3 --joblog jobs.log \
  "bash ./part.sh$(printf ' %q' "$batchmark") shard-{} {}/$parts$(printf ' %q' "$@"); status=\$?; [ \$status -eq 1 ] || exit \$status"

folders=()
for ((part = 1; part <= parts; part++)); do folders+=("shard-$part"); done
"$batchmark" merge "${folders[@]}" --out report
