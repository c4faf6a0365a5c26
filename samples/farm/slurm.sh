#!/usr/bin/env bash
# sbatch --array=0-2 samples/farm/slurm.sh FIRST..LAST BLOCK [OPTION...]
# One job of the array for each block of the range, from the folder of the project. See docs/farm.md.
#SBATCH --job-name=frames
#SBATCH --requeue
#SBATCH --open-mode=append
# Slurm runs a copy of this file, so the others are looked for where the job was submitted.
exec "$SLURM_SUBMIT_DIR/samples/farm/render-block" "$1" "$2" "$SLURM_ARRAY_TASK_ID" "${@:3}"
