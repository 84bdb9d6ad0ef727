#!/usr/bin/env bash
# A sweep as a Slurm job array of eight shards, one of which is cancelled while
# it runs and begun anew: what the shards found together is what one process
# finds, byte for byte.
#
#   slurm-sweep.sh DIR NETWORK        beside a cluster (slurm-cluster.sh)
set -euo pipefail
dir=$1
sweep=(fadiff-bench codesign "$2" --method=grid --area=0.4 --fuse=off)
shards=$(for i in $(seq 0 7); do echo "$dir/$i.jsonl"; done | paste -sd,)

# No task goes on before one of those that run is cancelled.
task="while [ ! -e $dir/go ]; do sleep 0.1; done
exec ${sweep[*]} --shard=\$SLURM_ARRAY_TASK_ID/8 --out=$dir/\$SLURM_ARRAY_TASK_ID.jsonl"
job=$(timeout 60 sbatch --parsable --array=0-7 --output="$dir/%a.log" --wrap="$task")
for _ in $(seq 150); do
  squeue --noheader --states=running --format=%K --jobs="$job" | grep -qx 1 && break
  sleep 0.2
done
scancel "${job}_1"
touch "$dir/go"
for _ in $(seq 600); do
  [[ -n $(squeue --noheader --jobs="$job" 2>/dev/null) ]] || break
  sleep 0.2
done
if [[ -e $dir/1.jsonl ]]; then
  echo "shard 1 went on; it was to be cancelled" >&2
  exit 1
fi
: >"$dir/1.jsonl"
# Another one was killed while it wrote.
size=$(stat --format=%s "$dir/2.jsonl")
truncate --size=$((size - 100)) "$dir/2.jsonl"

if "${sweep[@]}" --merge="$shards" >"$dir/merged.json" 2>"$dir/missing.txt"; then
  echo "merged, though a shard is missing" >&2
  exit 1
fi
cat "$dir/missing.txt"
timeout 120 sbatch --wait --parsable --array=1,2 --output="$dir/%a.log" --wrap="$task" >"$dir/again"
"${sweep[@]}" --merge="$shards" >"$dir/merged.json" 2>"$dir/warnings.txt"
"${sweep[@]}" >"$dir/whole.json"
cmp "$dir/merged.json" "$dir/whole.json"
echo "the same bytes"
