#!/usr/bin/env bash
# Takes one part of a run, or goes on with it where an ended job left it; all schedulers start it alike.
#
# usage: part.sh BATCHMARK OUT SHARD [scenarios and options of run…]
#   SHARD   K/N, auto, or auto/N
set -euo pipefail
batchmark=$1 out=$2 shard=$3
shift 3
# Engines and exports are not in the journal: the same arguments are given again.
if [ -s "$out/journal.jsonl" ]; then exec "$batchmark" run "$@" --shard "$shard" --allow-empty --resume --out "$out"; fi
# Ended before its first sample.
rm -rf "$out"
exec "$batchmark" run "$@" --shard "$shard" --allow-empty --out "$out"
