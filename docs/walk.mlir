// The group that docs/CostModel.md walks through, on the machine `tiny`: 3 x 1
// after 3 x 1, two rows per tile, halos made again.
module attributes {fadiff.target = #fadiff.target<"tiny">} {
  func.func @main(%x: tensor<6x4x4xi8>, %v: tensor<3x1x4x4xi8>, %w: tensor<3x1x4x4xi8>) -> tensor<6x4x4xi8> {
    %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] {
      %0 = fadiff.layer "first" ins(%x, %v : tensor<6x4x4xi8>, tensor<3x1x4x4xi8>)
          workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">)
          epilogue(<scale = 1.0 : f32>)
          mapping(<dram [P:2], scratchpad [], accumulator [P:4 R:3], registers [Q:4], array [4 x 4]>) {
      ^bb0(%a: tensor<6x4x4xi8>, %b: tensor<3x1x4x4xi8>):
        %e = tensor.empty() : tensor<6x4x4xi8>
        fadiff.yield %e : tensor<6x4x4xi8>
      } -> tensor<6x4x4xi8>
      %1 = fadiff.layer "second" ins(%0, %w : tensor<6x4x4xi8>, tensor<3x1x4x4xi8>)
          workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">)
          epilogue(<scale = 1.0 : f32>)
          mapping(<dram [P:3], scratchpad [], accumulator [P:2 R:3], registers [Q:4], array [4 x 4]>) {
      ^bb0(%a: tensor<6x4x4xi8>, %b: tensor<3x1x4x4xi8>):
        %e = tensor.empty() : tensor<6x4x4xi8>
        fadiff.yield %e : tensor<6x4x4xi8>
      } -> tensor<6x4x4xi8>
      fadiff.yield %1 : tensor<6x4x4xi8>
    } -> tensor<6x4x4xi8>
    return %g : tensor<6x4x4xi8>
  }
}
