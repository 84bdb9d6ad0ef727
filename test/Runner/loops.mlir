// Layers in loops: each trip counts, in the search, in what is predicted and in
// what the simulator counts. Without the trips, DRAM bytes would differ.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/nested.mlir --target=gemmini-small --check | FileCheck %s --check-prefixes=NESTED,EQUAL
// 2 * 3 * 20 * 24 * 24 + 2 * 20 * 24 * 16
// NESTED:      on the array: 100.0 % of 84480 multiply-accumulates, 1 of 1 tails (100.0 %); on the host: 1 operation that touches 1280 elements
// NESTED-NEXT: 1 x tensor.insert_slice, 1280 elements, 1280 cycles, behind head at nested.mlir:{{[0-9]+}} (2 times): it moves a tensor
// NESTED:      {{^}}step, 6 runs {{.*}} 0{{$}}
// NESTED-NEXT: {{^}}head, 2 runs {{.*}} 1280{{$}}

// RUN: fadiff-run %t/forall.mlir --target=gemmini-small --check | FileCheck %s --check-prefixes=FORALL,EQUAL
// FORALL: {{^}}cell, 6 runs {{.*}}{{$}}

// RUN: fadiff-run %t/while.mlir --target=gemmini-small --check | FileCheck %s --check-prefixes=WHILE,EQUAL
// WHILE: {{^}}again, 4 runs {{.*}}{{$}}

// RUN: fadiff-run %t/affine.mlir --target=gemmini-small --check | FileCheck %s --check-prefixes=AFFINE,EQUAL
// AFFINE: {{^}}again, 3 runs {{.*}}{{$}}

// A branch may be left out.
// RUN: fadiff-run %t/branch.mlir --target=gemmini-small --check | FileCheck %s --check-prefix=BRANCH
// BRANCH: the trips of 'scf.if' at branch.mlir:{{[0-9]+}} are not known
// BRANCH: {{^}}maybe, 1 run? {{.*}}{{$}}
// BRANCH: {{^}}never, 0 runs? {{.*}}{{$}}
// BRANCH: as predicted
// BRANCH: output identical to the reference

// Calls are inlined, a function that is called twice becomes two.
// RUN: fadiff-run %t/called.mlir --target=gemmini-small --check | FileCheck %s --check-prefixes=CALLED,EQUAL
// CALLED:      {{^}}sum, 3 runs {{.*}}{{$}}
// CALLED-NEXT: {{^}}sum#1, 6 runs {{.*}}{{$}}

// In the module they stay calls: three trips in each of 1 + 2.
// RUN: fadiff-opt %t/called.mlir --fadiff-schedule=target=gemmini-small -o %t/called-nests.mlir
// RUN: fadiff-run %t/called-nests.mlir --reference=%t/called.mlir --check | FileCheck %s --check-prefixes=CALLS,EQUAL
// CALLS:      {{^}}sum, 9 runs {{.*}}{{$}}
// CALLS-NEXT: {{^}}total

// Trips that only the run knows are no error: each run is compared.
// RUN: fadiff-run %t/unknown.mlir --target=gemmini-small --check | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN:      the trips of 'scf.for' at unknown.mlir:{{[0-9]+}} are not known: layers in it are counted once
// UNKNOWN:      {{^}}maybe, 3 runs? {{.*}}{{$}}
// UNKNOWN:      as predicted
// UNKNOWN-NEXT: check: 1 groups, {{.*}} scratchpad writes equal;
// UNKNOWN-NEXT: check: of 1 groups in loops whose trips were not known, each run was compared, not their number
// UNKNOWN:      output identical to the reference
// RUN: fadiff-opt %t/unknown.mlir --fadiff-schedule=target=gemmini-small --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: {{.*}}[Analysis] Trips | Category:fadiff | Remark="layer 'maybe' is counted once: the trips of 'scf.for' around it are not known"

// Groups form inside of a loop as they do outside.
// RUN: fadiff-run %t/fused.mlir --target=gemmini-large --check | FileCheck %s --check-prefixes=FUSED,EQUAL
// FUSED: 1 of 1 edges fused
// FUSED: {{^}}one+two, 5 runs {{.*}}{{$}}

// A run that is predicted in one module and read from another is checked, too.
// RUN: fadiff-opt %t/fused.mlir --fadiff-schedule="target=gemmini-large latency=roofline" -o %t/nests.mlir
// RUN: fadiff-run %t/nests.mlir --reference=%t/fused.mlir --check | FileCheck %s --check-prefixes=FUSED-NESTS,EQUAL
// FUSED-NESTS: {{^}}one+two, 5 runs {{.*}}{{$}}
// RUN: fadiff-translate --fadiff-schedule-to-json %t/nests.mlir -o %t/schedule.json
// RUN: fadiff-bench rescore %t/schedule.json | FileCheck %s --check-prefix=RESCORE
// RESCORE: "max_rel_error": 0,

// Costs in the IR and in reports are of one run, totals of all.
// RUN: fadiff-opt %t/nests.mlir --fadiff-report-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// COST:      one: {{.*}}; one run of 5{{$}}
// COST:      two: {{.*}}; one run of 5{{$}}
// COST:      total: 23.529 uJ, 12160 cycles, {{.*}} 74240 B read, 23040 B written
// COST-NEXT: function 'main', on the array: 100.0 % of 7372800 multiply-accumulates

// RUN: fadiff-run %t/outside.mlir --target=gemmini-large --check | FileCheck %s --check-prefixes=OUTSIDE,EQUAL
// OUTSIDE: {{^}}side {{.*}} 0{{$}}
// OUTSIDE: {{^}}main+main.add, 4 runs {{.*}}{{$}}

// EQUAL: as predicted
// EQUAL: scratchpad writes equal;
// EQUAL: output identical to the reference

//--- nested.mlir
// Two rows of the batch, three steps of a recurrence each, and a layer behind.
#map = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<2x20x24xi8>, %w: tensor<24x24xi8>, %v: tensor<24x16xi8>) -> tensor<2x20x16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x20x16xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %e) -> (tensor<2x20x16xi32>) {
    %s = tensor.extract_slice %x[%i, 0, 0] [1, 20, 24] [1, 1, 1] : tensor<2x20x24xi8> to tensor<20x24xi8>
    %h = scf.for %j = %c0 to %c3 step %c1 iter_args(%state = %s) -> (tensor<20x24xi8>) {
      %t = tensor.empty() : tensor<20x24xi32>
      %f = linalg.fill ins(%z : i32) outs(%t : tensor<20x24xi32>) -> tensor<20x24xi32>
      %m = linalg.matmul ins(%state, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%f : tensor<20x24xi32>) -> tensor<20x24xi32> loc("step")
      %t8 = tensor.empty() : tensor<20x24xi8>
      %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<20x24xi32>) outs(%t8 : tensor<20x24xi8>) {
      ^bb0(%in: i32, %out: i8):
        %scale = arith.constant 0.0078125 : f32
        %low = arith.constant -128.0 : f32
        %high = arith.constant 127.0 : f32
        %0 = arith.sitofp %in : i32 to f32
        %1 = arith.mulf %0, %scale : f32
        %2 = math.roundeven %1 : f32
        %3 = arith.maximumf %2, %low : f32
        %4 = arith.minimumf %3, %high : f32
        %5 = arith.fptosi %4 : f32 to i8
        linalg.yield %5 : i8
      } -> tensor<20x24xi8>
      scf.yield %q : tensor<20x24xi8>
    }
    %t = tensor.empty() : tensor<20x16xi32>
    %f = linalg.fill ins(%z : i32) outs(%t : tensor<20x16xi32>) -> tensor<20x16xi32>
    %m = linalg.matmul ins(%h, %v : tensor<20x24xi8>, tensor<24x16xi8>) outs(%f : tensor<20x16xi32>) -> tensor<20x16xi32> loc("head")
    %n = tensor.insert_slice %m into %acc[%i, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<20x16xi32> into tensor<2x20x16xi32>
    scf.yield %n : tensor<2x20x16xi32>
  }
  return %r : tensor<2x20x16xi32>
}

//--- forall.mlir
func.func @main(%x: tensor<2x3x20x24xi8>, %w: tensor<24x16xi8>) -> tensor<2x3x20x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x3x20x16xi32>
  %r = scf.forall (%i, %j) in (2, 3) shared_outs(%acc = %e) -> (tensor<2x3x20x16xi32>) {
    %s = tensor.extract_slice %x[%i, %j, 0, 0] [1, 1, 20, 24] [1, 1, 1, 1] : tensor<2x3x20x24xi8> to tensor<20x24xi8>
    %t = tensor.empty() : tensor<20x16xi32>
    %f = linalg.fill ins(%z : i32) outs(%t : tensor<20x16xi32>) -> tensor<20x16xi32>
    %m = linalg.matmul ins(%s, %w : tensor<20x24xi8>, tensor<24x16xi8>) outs(%f : tensor<20x16xi32>) -> tensor<20x16xi32> loc("cell")
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %acc[%i, %j, 0, 0] [1, 1, 20, 16] [1, 1, 1, 1] : tensor<20x16xi32> into tensor<2x3x20x16xi32>
    }
  }
  return %r : tensor<2x3x20x16xi32>
}

//--- while.mlir
// Counts from 1 by 2 while it is below 8: four trips.
func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>) -> tensor<20x24xi32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %eight = arith.constant 8 : index
  %start = arith.constant dense<0> : tensor<20x24xi32>
  %r:2 = scf.while (%i = %one, %sum = %start) : (index, tensor<20x24xi32>) -> (index, tensor<20x24xi32>) {
    %more = arith.cmpi slt, %i, %eight : index
    scf.condition(%more) %i, %sum : index, tensor<20x24xi32>
  } do {
  ^bb0(%i: index, %sum: tensor<20x24xi32>):
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%sum : tensor<20x24xi32>) -> tensor<20x24xi32> loc("again")
    %next = arith.addi %i, %two : index
    scf.yield %next, %m : index, tensor<20x24xi32>
  }
  return %r#1 : tensor<20x24xi32>
}

//--- unknown.mlir
// The bound is an element of an argument.
func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>, %counts: tensor<1xi8>) -> tensor<20x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant dense<0> : tensor<20x24xi32>
  %count = tensor.extract %counts[%c0] : tensor<1xi8>
  %three = arith.constant 3 : i8
  %bits = arith.andi %count, %three : i8
  %least = arith.ori %bits, %three : i8
  %bound = arith.index_castui %least : i8 to index
  %r = scf.for %i = %c0 to %bound step %c1 iter_args(%sum = %start) -> (tensor<20x24xi32>) {
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%sum : tensor<20x24xi32>) -> tensor<20x24xi32> loc("maybe")
    scf.yield %m : tensor<20x24xi32>
  }
  return %r : tensor<20x24xi32>
}

//--- called.mlir
// A function with a loop, called twice, once of that in a loop itself.
func.func private @sum(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>, %from: tensor<20x24xi32>) -> tensor<20x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %from) -> (tensor<20x24xi32>) {
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%sum : tensor<20x24xi32>) -> tensor<20x24xi32> loc("sum")
    scf.yield %m : tensor<20x24xi32>
  }
  return %r : tensor<20x24xi32>
}
func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>, %v: tensor<24x24xi8>) -> tensor<20x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = arith.constant dense<0> : tensor<20x24xi32>
  %0 = call @sum(%x, %w, %start) : (tensor<20x24xi8>, tensor<24x24xi8>, tensor<20x24xi32>) -> tensor<20x24xi32>
  %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %0) -> (tensor<20x24xi32>) {
    %2 = func.call @sum(%x, %v, %sum) : (tensor<20x24xi8>, tensor<24x24xi8>, tensor<20x24xi32>) -> tensor<20x24xi32>
    scf.yield %2 : tensor<20x24xi32>
  }
  return %1 : tensor<20x24xi32>
}

//--- fused.mlir
#map = affine_map<(n, h, w, k) -> (n, h, w, k)>
func.func @main(%x: tensor<5x12x12x32xi8>, %w1: tensor<3x3x32x32xi8>, %w2: tensor<1x1x32x32xi8>) -> tensor<5x12x12x32xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0 : i32
  %z8 = arith.constant 0 : i8
  %e = tensor.empty() : tensor<5x12x12x32xi8>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %e) -> (tensor<5x12x12x32xi8>) {
    %s = tensor.extract_slice %x[%i, 0, 0, 0] [1, 12, 12, 32] [1, 1, 1, 1] : tensor<5x12x12x32xi8> to tensor<1x12x12x32xi8>
    %p = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %z8 : i8
    } : tensor<1x12x12x32xi8> to tensor<1x14x14x32xi8>
    %t = tensor.empty() : tensor<1x12x12x32xi32>
    %f = linalg.fill ins(%z : i32) outs(%t : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32>
    %t8 = tensor.empty() : tensor<1x12x12x32xi8>
    %m1 = linalg.conv_2d_nhwc_hwcf ins(%p, %w1 : tensor<1x14x14x32xi8>, tensor<3x3x32x32xi8>) outs(%f : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32> loc("one")
    %q1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m1 : tensor<1x12x12x32xi32>) outs(%t8 : tensor<1x12x12x32xi8>) {
    ^bb0(%in: i32, %out: i8):
      %scale = arith.constant 0.001953125 : f32
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %0 = arith.sitofp %in : i32 to f32
      %1 = arith.mulf %0, %scale : f32
      %2 = math.roundeven %1 : f32
      %3 = arith.maximumf %2, %low : f32
      %4 = arith.minimumf %3, %high : f32
      %5 = arith.fptosi %4 : f32 to i8
      linalg.yield %5 : i8
    } -> tensor<1x12x12x32xi8>
    %m2 = linalg.conv_2d_nhwc_hwcf ins(%q1, %w2 : tensor<1x12x12x32xi8>, tensor<1x1x32x32xi8>) outs(%f : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32> loc("two")
    %q2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m2 : tensor<1x12x12x32xi32>) outs(%t8 : tensor<1x12x12x32xi8>) {
    ^bb0(%in: i32, %out: i8):
      %scale = arith.constant 0.00390625 : f32
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %0 = arith.sitofp %in : i32 to f32
      %1 = arith.mulf %0, %scale : f32
      %2 = math.roundeven %1 : f32
      %3 = arith.maximumf %2, %low : f32
      %4 = arith.minimumf %3, %high : f32
      %5 = arith.fptosi %4 : f32 to i8
      linalg.yield %5 : i8
    } -> tensor<1x12x12x32xi8>
    %n = tensor.insert_slice %q2 into %acc[%i, 0, 0, 0] [1, 12, 12, 32] [1, 1, 1, 1] : tensor<1x12x12x32xi8> into tensor<5x12x12x32xi8>
    scf.yield %n : tensor<5x12x12x32xi8>
  }
  return %r : tensor<5x12x12x32xi8>
}

//--- outside.mlir
// The residual is made once, outside of the loop that adds it: no group may
// make it again on each trip.
#map = affine_map<(n, h, w, k) -> (n, h, w, k)>
func.func @main(%x: tensor<1x12x12x32xi8>, %w1: tensor<1x1x32x32xi8>, %w2: tensor<1x1x32x32xi8>) -> tensor<1x12x12x32xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %t = tensor.empty() : tensor<1x12x12x32xi32>
  %t8 = tensor.empty() : tensor<1x12x12x32xi8>
  %f = linalg.fill ins(%z : i32) outs(%t : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32>
  %m0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w1 : tensor<1x12x12x32xi8>, tensor<1x1x32x32xi8>) outs(%f : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32> loc("side")
  %side = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m0 : tensor<1x12x12x32xi32>) outs(%t8 : tensor<1x12x12x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %scale = arith.constant 0.00390625 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x12x12x32xi8>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%last = %t8) -> (tensor<1x12x12x32xi8>) {
  %m1 = linalg.conv_2d_nhwc_hwcf ins(%x, %w2 : tensor<1x12x12x32xi8>, tensor<1x1x32x32xi8>) outs(%f : tensor<1x12x12x32xi32>) -> tensor<1x12x12x32xi32> loc("main")
  %q1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m1 : tensor<1x12x12x32xi32>) outs(%t8 : tensor<1x12x12x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %scale = arith.constant 0.00390625 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x12x12x32xi8>

  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q1, %side : tensor<1x12x12x32xi8>, tensor<1x12x12x32xi8>) outs(%t : tensor<1x12x12x32xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x12x12x32xi32>
  %q2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x12x12x32xi32>) outs(%t8 : tensor<1x12x12x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %scale = arith.constant 0.5 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x12x12x32xi8>

  scf.yield %q2 : tensor<1x12x12x32xi8>
  }
  return %r : tensor<1x12x12x32xi8>
}

//--- affine.mlir
func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>) -> tensor<20x24xi32> {
  %start = arith.constant dense<0> : tensor<20x24xi32>
  %r = affine.for %i = 0 to 3 iter_args(%sum = %start) -> (tensor<20x24xi32>) {
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%sum : tensor<20x24xi32>) -> tensor<20x24xi32> loc("again")
    affine.yield %m : tensor<20x24xi32>
  }
  return %r : tensor<20x24xi32>
}

//--- branch.mlir
// The byte is at least one.
func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x24xi8>, %bytes: tensor<1xi8>) -> tensor<20x24xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %start = arith.constant dense<0> : tensor<20x24xi32>
  %ones = arith.constant dense<1> : tensor<20x24xi32>
  %byte = tensor.extract %bytes[%c0] : tensor<1xi8>
  %some = arith.ori %byte, %one : i8
  %isSome = arith.cmpi ne, %some, %zero : i8
  %r = scf.if %isSome -> (tensor<20x24xi32>) {
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%start : tensor<20x24xi32>) -> tensor<20x24xi32> loc("maybe")
    scf.yield %m : tensor<20x24xi32>
  } else {
    %m = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x24xi8>) outs(%ones : tensor<20x24xi32>) -> tensor<20x24xi32> loc("never")
    scf.yield %m : tensor<20x24xi32>
  }
  return %r : tensor<20x24xi32>
}
