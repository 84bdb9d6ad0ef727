// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// Attributes and types that say nothing sensible, whatever they stand on.

// expected-error @+1 {{target 'tiny': field 'side' must be an integer from 1 to 1073741824; it is missing}}
module attributes {a.a = #fadiff.target<"tiny", {scratchpad_bytes = 256}>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'side' must be an integer from 1 to 1073741824; found 0}}
module attributes {a.a = #fadiff.target<"tiny", side = 0>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'dma_latency' must be an integer from 1 to 1073741824; found 1.000000e+00}}
module attributes {a.a = #fadiff.target<"tiny", dma_latency = 1.0>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'scratchpad_bytes' must be an integer from 1 to 1073741824; found 18446744073709551616}}
module attributes {a.a = #fadiff.target<"tiny", scratchpad_bytes = 18446744073709551616 : i128>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'energy_dram' must be a positive f64; found -1.000000e+00}}
module attributes {a.a = #fadiff.target<"tiny", energy_dram = -1.0>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'energy_dram' must be a positive f64; found 0x7FF8000000000000}}
module attributes {a.a = #fadiff.target<"tiny", energy_dram = 0x7FF8000000000000 : f64>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'bandwidth_dram' must be a positive f64; found 1}}
module attributes {a.a = #fadiff.target<"tiny", bandwidth_dram = 1>} {}

// -----

// expected-error @+1 {{target 'tiny': field 'arithmetic' must be a string, int8 or f32; found "bf16"}}
module attributes {a.a = #fadiff.target<"tiny", arithmetic = "bf16">} {}

// -----

// expected-error @+1 {{target 'tiny': field 'hand_over' must be a string, none, mvout_spad or accumulator_operand; found "dma"}}
module attributes {a.a = #fadiff.target<"tiny", hand_over = "dma">} {}

// -----

// expected-error @+1 {{target 'tiny': unknown field 'colour'}}
module attributes {a.a = #fadiff.target<"tiny", colour = 1>} {}

// -----

// expected-error @+1 {{unknown target 'tpu': wanted one of gemmini, gemmini-fp32, gemmini-large, gemmini-npu, gemmini-small, tiny, or all fields of a machine in braces}}
module attributes {a.a = #fadiff.target<"tpu", side = 4>} {}

// -----

// expected-error @+1 {{field 'side' stands twice; give it once}}
module attributes {a.a = #fadiff.target<"tiny", side = 4, side = 4>} {}

// -----

// expected-error @+1 {{expected '='}}
module attributes {a.a = #fadiff.target<"tiny", side>} {}

// -----

// expected-error @+1 {{expected a dim out of N G K C P Q R S; found 'X'}}
module attributes {a.a = #fadiff.workload<[X = 2], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{pad_value must be an int8, from -128 to 127; found 128}}
module attributes {a.a = #fadiff.workload<[P = 2], pad = [1, 0], pad_value = 128, layouts = "H" "" "P">} {}

// -----

// expected-error @+1 {{expected stride, dilation, pad, input, pad_value or layouts; found 'padding'}}
module attributes {a.a = #fadiff.workload<[], padding = [1, 1], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{dim K must be at least 1; found 0}}
module attributes {a.a = #fadiff.workload<[K = 0], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{stride must be two integers, at least 1; found [1, 0]}}
module attributes {a.a = #fadiff.workload<[], stride = [1, 0], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{dilation must be two integers, at least 1; found [1]}}
module attributes {a.a = #fadiff.workload<[], dilation = [1], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{pad must be two integers, at least 0; found [0, -1]}}
module attributes {a.a = #fadiff.workload<[], pad = [0, -1], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{input must be two integers, at least 1; found [1, 2, 3]}}
module attributes {a.a = #fadiff.workload<[], input = [1, 2, 3], layouts = "" "" "">} {}

// -----

// expected-error @+1 {{input layout must name each axis once, out of NGCHW; found "NP"}}
module attributes {a.a = #fadiff.workload<[], layouts = "NP" "" "">} {}

// -----

// expected-error @+1 {{weight layout must name each axis once, out of GKCRS; found "CC"}}
module attributes {a.a = #fadiff.workload<[], layouts = "" "CC" "">} {}

// -----

// expected-error @+1 {{output layout must name each axis once, out of NGKPQ; found "C"}}
module attributes {a.a = #fadiff.workload<[], layouts = "" "" "C">} {}

// -----

// expected-error @+1 {{input layout "NC" lacks axis H, whose extent is not 1}}
module attributes {a.a = #fadiff.workload<[P = 2], layouts = "NC" "" "P">} {}

// -----

// expected-error @+1 {{weight layout "C" lacks axis K, whose extent is not 1}}
module attributes {a.a = #fadiff.workload<[K = 2, C = 2], layouts = "C" "C" "K">} {}

// -----

// expected-error @+1 {{output layout "" lacks axis N, whose extent is not 1}}
module attributes {a.a = #fadiff.workload<[N = 2], layouts = "N" "" "">} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them; found 1.000000e+00 : f64}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f64>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them; found -1.000000e+00 : f32}}
module attributes {a.a = #fadiff.epilogue<scale = -1.0 : f32>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them; found 0.000000e+00 : f32}}
module attributes {a.a = #fadiff.epilogue<scale = 0.0 : f32>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them; found 0x7F800000 : f32}}
module attributes {a.a = #fadiff.epilogue<scale = 0x7F800000 : f32>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them; found 0x7FC00000 : f32}}
module attributes {a.a = #fadiff.epilogue<scale = 0x7FC00000 : f32>} {}

// -----

// expected-error @+1 {{expected residual_scale, residual_whole, scale, relu, zero_point, clamp and pool, each once at most and in this order}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f32, gelu>} {}

// -----

// expected-error @+1 {{relu needs a scale: a full-width read-out applies no activation}}
module attributes {a.a = #fadiff.epilogue<relu>} {}

// -----

// expected-error @+1 {{expected a dim out of N G K C P Q R S; found 'Z'}}
module attributes {a.a = #fadiff.mapping<dram [Z:2], scratchpad [], accumulator [], registers [], array [1 x 1]>} {}

// -----

// expected-error @+1 {{scratchpad: factor of P must be at least 1; found 0}}
module attributes {a.a = #fadiff.mapping<dram [], scratchpad [P:0], accumulator [], registers [], array [1 x 1]>} {}

// -----

// expected-error @+1 {{accumulator: dim C stands twice}}
module attributes {a.a = #fadiff.mapping<dram [], scratchpad [], accumulator [C:2 R:3 C:2], registers [], array [1 x 1]>} {}

// -----

// expected-error @+1 {{registers: factor of Q must be at least 1; found -2}}
module attributes {a.a = #fadiff.mapping<dram [], scratchpad [], accumulator [], registers [Q:-2], array [1 x 1]>} {}

// -----

// expected-error @+1 {{array factors must be at least 1; found [0 x 4]}}
module attributes {a.a = #fadiff.mapping<dram [], scratchpad [], accumulator [], registers [], array [0 x 4]>} {}

// -----

// expected-error @+1 {{expected 'accumulator'}}
module attributes {a.a = #fadiff.mapping<dram [], scratchpad [], registers [], array [1 x 1]>} {}

// -----

// expected-error @+1 {{convention must be "machine" or "timeloop"; found "maestro"}}
module attributes {a.a = #fadiff.cost_model<"maestro">} {}

// -----

// expected-error @+1 {{a cost names the model that predicted it}}
module attributes {a.a = #fadiff.cost<energy = 1.0 pJ, cycles = 1.0, dram_read = 1 B, dram_write = 1 B, by "">} {}

// -----

// expected-error @+1 {{a cost cannot be negative}}
module attributes {a.a = #fadiff.cost<energy = -1.0 pJ, cycles = 1.0, dram_read = 1 B, dram_write = 1 B, by "machine">} {}

// -----

// expected-error @+1 {{a cost cannot be negative}}
module attributes {a.a = #fadiff.cost<energy = 1.0 pJ, cycles = 1.0, dram_read = 1 B, dram_write = -1 B, by "machine">} {}

// -----

// expected-error @+1 {{a buffer lies in the scratchpad or the accumulator; found level dram}}
func.func private @level(!fadiff.buffer<dram, 4>)

// -----

// expected-error @+1 {{a buffer has at least one row; found 0}}
func.func private @rows(!fadiff.buffer<scratchpad, 0>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @dynamic(!fadiff.dram<?x4xi8>)

// -----

// expected-error @+1 {{pool needs a scale: a full-width read-out applies no activation}}
module attributes {a.a = #fadiff.epilogue<pool = <size = 2, stride = 2, pad = [0, 0], outputs = [4, 4]>>} {}

// -----

// expected-error @+1 {{max pooling wants size and stride of at least 1}}
module attributes {a.a = #fadiff.max_pool<size = 2, stride = 0, pad = [0, 0], outputs = [4, 4]>} {}

// -----

// expected-error @+1 {{max pooling wants pad and outputs for the two axes H and W}}
module attributes {a.a = #fadiff.max_pool<size = 2, stride = 2, pad = [0], outputs = [4, 4]>} {}

// -----

// expected-error @+1 {{max pooling wants pad of at least 0 that leaves part of a window}}
module attributes {a.a = #fadiff.max_pool<size = 2, stride = 2, pad = [0, 2], outputs = [4, 4]>} {}

// -----

// expected-error @+1 {{max pooling wants outputs of at least 1}}
module attributes {a.a = #fadiff.max_pool<size = 2, stride = 2, pad = [0, 0], outputs = [4, 0]>} {}

// -----

// expected-error @+1 {{expected residual_scale, residual_whole, scale, relu, zero_point, clamp and pool, each once at most and in this order}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f32, relu, relu>} {}

// -----

// expected-error @+1 {{residual_whole needs a residual_scale beside it}}
module attributes {a.a = #fadiff.epilogue<residual_whole = 1, scale = 1.0 : f32>} {}

// -----

// expected-error @+1 {{residual_scale needs a scale: a full-width read-out applies no activation}}
module attributes {a.a = #fadiff.epilogue<residual_scale = 0.5 : f32>} {}

// -----

// expected-error @+1 {{residual_scale must be a positive finite f32; found -5.000000e-01 : f32}}
module attributes {a.a = #fadiff.epilogue<residual_scale = -0.5 : f32, scale = 1.0 : f32>} {}

// -----

// expected-error @+1 {{residual_whole must be at least 0 and less than 16; found 16}}
module attributes {a.a = #fadiff.epilogue<residual_scale = 0.5 : f32, residual_whole = 16, scale = 1.0 : f32>} {}
