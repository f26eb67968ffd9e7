#!/usr/bin/env bash
# Runs one part of a run, or continues it where an ended job stopped; every scheduler starts it in the same way.
#
# usage: part.sh BATCHMARK OUT SHARD [scenarios and options of run…]
#   SHARD   K/N, auto, or auto/N
set -euo pipefail
batchmark=$1 out=$2 shard=$3
shift 3
# The journal does not contain engines and exports, so pass the same arguments again.
if [ -s "$out/journal.jsonl" ]; then exec "$batchmark" run "$@" --shard "$shard" --allow-empty --resume --out "$out"; fi
# Without a journal, this is the first job, or the earlier one ended before its first sample.
rm -rf "$out"
exec "$batchmark" run "$@" --shard "$shard" --allow-empty --out "$out"
