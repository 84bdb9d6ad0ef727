// Syntax of the attributes: what is trivial is not printed, floats read back to
// the same bits.

// RUN: fadiff-opt %s | fadiff-opt | FileCheck %s

// CHECK:      attrs.epilogue_none = #fadiff.epilogue<>
// CHECK-SAME: attrs.epilogue_pool = #fadiff.epilogue<scale = 1.000000e+00 : f32, pool = <size = 2, stride = 1, pad = [0, 1], outputs = [4, 5]>>
// CHECK-SAME: attrs.epilogue_read_out = #fadiff.epilogue<scale = dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>, relu, zero_point = -3, clamp = [-128, 90], pool = <size = 2, stride = 2, pad = [0, 0], outputs = [4, 5]>>
// CHECK-SAME: attrs.epilogue_relu = #fadiff.epilogue<scale = 1.250000e-03 : f32, relu>
// CHECK-SAME: attrs.epilogue_scale = #fadiff.epilogue<scale = 1.401300e-45 : f32>
module attributes {
  attrs.epilogue_none = #fadiff.epilogue<>,
  attrs.epilogue_pool = #fadiff.epilogue<scale = 1.0 : f32, pool = <size = 2, stride = 1, pad = [0, 1], outputs = [4, 5]>>,
  attrs.epilogue_read_out = #fadiff.epilogue<scale = dense<[0.25, 0.5]> : tensor<2xf32>, relu, zero_point = -3, clamp = [-128, 90], pool = <size = 2, stride = 2, pad = [0, 0], outputs = [4, 5]>>,
  attrs.epilogue_scale = #fadiff.epilogue<scale = 1.4013e-45 : f32>,
  attrs.epilogue_relu = #fadiff.epilogue<scale = 1.25e-3 : f32, relu>
} {}

// CHECK:      attrs.convolution = #fadiff.workload<[N = 2, G = 3, K = 64, C = 5, P = 112, Q = 113, R = 7, S = 6],
// CHECK-SAME:   stride = [2, 1], dilation = [1, 3], pad = [3, 0], input = [224, 223], pad_value = -128, layouts = "NHWGC" "GRSCK" "NPQGK">
// CHECK-SAME: attrs.input_as_output = #fadiff.workload<[K = 4, P = 5, Q = 6], layouts = "NHWC" "RSCK" "NPQK">
// CHECK-SAME: attrs.scalar = #fadiff.workload<[], layouts = "" "" "">
// CHECK-SAME: attrs.spelled_out = #fadiff.workload<[C = 2], layouts = "C" "C" "">
module attributes {
  attrs.convolution = #fadiff.workload<[S = 6, R = 7, Q = 113, P = 112, C = 5, K = 64, G = 3, N = 2],
      layouts = "NHWGC" "GRSCK" "NPQGK", pad_value = -128, input = [224, 223], pad = [3, 0], dilation = [1, 3], stride = [2, 1]>,
  attrs.input_as_output = #fadiff.workload<[K = 4, P = 5, Q = 6], input = [5, 6], layouts = "NHWC" "RSCK" "NPQK">,
  attrs.scalar = #fadiff.workload<[], layouts = "" "" "">,
  attrs.spelled_out = #fadiff.workload<[N = 1, K = 1, C = 2], stride = [1, 1], dilation = [1, 1], pad = [0, 0], layouts = "C" "C" "">
} {}

// Outermost first; a factor of 1 that was written stays.
// CHECK:      attrs.empty = #fadiff.mapping<dram [], scratchpad [], accumulator [], registers [], array [1 x 1]>
// CHECK-SAME: attrs.full = #fadiff.mapping<dram [P:7 K:2 N:1], scratchpad [Q:2], accumulator [R:3 S:3 C:2 G:4], registers [P:8 Q:28], array [32 x 16]>
module attributes {
  attrs.empty = #fadiff.mapping<dram [], scratchpad [], accumulator [], registers [], array [1 x 1]>,
  attrs.full = #fadiff.mapping<dram [P:7 K:2 N:1], scratchpad [Q:2], accumulator [R:3 S:3 C:2 G:4], registers [P:8 Q:28], array [32 x 16]>
} {}

// CHECK:      attrs.cost = #fadiff.cost<energy = 1.000000e-01 pJ, cycles = 1.000000e+300, dram_read = 9223372036854775807 B, dram_write = 0 B, by "machine">
// CHECK-SAME: attrs.machine = #fadiff.cost_model<"machine">
// CHECK-SAME: attrs.paper = #fadiff.cost_model<"timeloop", model = "paper">
// CHECK-SAME: attrs.slow = #fadiff.cost_model<"machine", latency = "streams">
// CHECK-SAME: attrs.slow_paper = #fadiff.cost_model<"timeloop", model = "paper", latency = "streams">
// CHECK-SAME: attrs.timeloop = #fadiff.cost_model<"timeloop">
module attributes {
  attrs.cost = #fadiff.cost<energy = 0.1 pJ, cycles = 1.0e300, dram_read = 9223372036854775807 B, dram_write = 0 B, by "machine">,
  attrs.machine = #fadiff.cost_model<"machine">,
  attrs.slow = #fadiff.cost_model<"machine", latency = "streams">,
  attrs.paper = #fadiff.cost_model<"timeloop", model = "paper">,
  attrs.slow_paper = #fadiff.cost_model<"timeloop", model = "paper", latency = "streams">,
  attrs.timeloop = #fadiff.cost_model<"timeloop">
} {}

// CHECK:      fadiff.target = #fadiff.target<"tiny", {
// CHECK-SAME:   accumulator_bytes = 256 : i64
// CHECK-SAME:   energy_dram = 1.000000e+02 : f64
// CHECK-SAME:   hand_over = "mvout_spad"
// CHECK-SAME:   side = 4 : i64
module attributes {fadiff.target = #fadiff.target<"tiny", {side = 4, scratchpad_bytes = 256, scratchpad_banks = 4, accumulator_bytes = 256, accumulator_banks = 2, hand_over = "mvout_spad", energy_mac = 1.0, energy_registers = 1.0, energy_accumulator = 1.0, energy_scratchpad = 1.0, energy_dram = 100.0, bandwidth_registers = 1.0, bandwidth_accumulator = 1.0, bandwidth_scratchpad = 1.0, bandwidth_dram = 1.0, dma_bytes_per_cycle = 16, dma_max_request_bytes = 16, dma_requests_in_flight = 16, dma_latency = 100, load_stations = 8, store_stations = 4, execute_stations = 16, command_cycles = 5, scratchpad_read_delay = 4, accumulator_pipe = 10, dma_cold_latency = 44, dma_short_write_cycles = 36, pass_cycles = 7.5, overlap_loss = 0.125}>} {}
