#!/usr/bin/env python3
#===- compare_layers.py - The generated layers against a table ------------===//
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===//
"""Compares `generate_networks.py --layers` (standard input) with layers.json.

The table has the layers of each network in some order; the generator may emit
them in another, as long as each layer is there once with the same numbers.
"""

import json
import math
import sys


def main():
    generated = json.load(sys.stdin)
    with open(sys.argv[1], encoding="utf-8") as stream:
        reference = json.load(stream)["workloads"]
    errors = 0
    for network, table in reference.items():
        columns = table["columns"]
        wanted = {row[0]: dict(zip(columns, row)) for row in table["layers"]}
        found = {layer["name"]: layer for layer in generated[network]}
        if len(found) != len(generated[network]):
            print(f"{network}: two layers have the same name")
            errors += 1
        for name in sorted(wanted.keys() | found.keys()):
            if wanted.get(name) != found.get(name):
                print(f"{network}: layer {name}: wanted {wanted.get(name)}, "
                      f"found {found.get(name)}")
                errors += 1
        macs = sum(math.prod(layer[dim] for dim in
                             ("repeat", "groups", "N", "K", "C", "P", "Q", "R",
                              "S")) for layer in found.values())
        if macs != table["total_macs"]:
            print(f"{network}: wanted {table['total_macs']} multiply-"
                  f"accumulates, found {macs}")
            errors += 1
        # The operands of a batched GEMM are both activations.
        weights = sum(math.prod(layer[dim] for dim in
                                ("groups", "K", "C", "R", "S"))
                      for layer in found.values()
                      if layer["op"] != "batched_gemm")
        if weights != table["total_weights"]:
            print(f"{network}: wanted {table['total_weights']} weights, found "
                  f"{weights}")
            errors += 1
        print(f"{network}: {len(found)} layers, {macs} multiply-accumulates")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
