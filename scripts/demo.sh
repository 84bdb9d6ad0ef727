#!/usr/bin/env bash
# Builds the tools and schedules, lowers, runs and checks ResNet18 on the large
# Gemmini. Further arguments go to fadiff-run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release
cmake --build --preset release --target fadiff-run fadiff-opt
exec build/release/bin/fadiff-run examples/resnet18.mlir --target=gemmini-large "$@"
