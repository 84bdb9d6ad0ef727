// gpt3_block_small: written by scripts/generate_networks.py; do not edit.
#map0 = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(
      %input: tensor<64x256xi8>,
      %norm1_gamma: tensor<256xf32> {fadiff.fill = "uniform(0.5, 1.5)"},
      %norm1_beta: tensor<256xf32> {fadiff.fill = "uniform(-0.5, 0.5)"},
      %q_proj_weight: tensor<256x256xi8>,
      %q_proj_bias: tensor<256xi32>,
      %k_proj_weight: tensor<256x256xi8>,
      %k_proj_bias: tensor<256xi32>,
      %v_proj_weight: tensor<256x256xi8>,
      %v_proj_bias: tensor<256xi32>,
      %out_proj_weight: tensor<256x256xi8>,
      %out_proj_bias: tensor<256xi32>,
      %norm2_gamma: tensor<256xf32> {fadiff.fill = "uniform(0.5, 1.5)"},
      %norm2_beta: tensor<256xf32> {fadiff.fill = "uniform(-0.5, 0.5)"},
      %ffn1_weight: tensor<256x1024xi8>,
      %ffn1_bias: tensor<1024xi32>,
      %ffn2_weight: tensor<1024x256xi8>,
      %ffn2_bias: tensor<256xi32>)
      -> tensor<64x256xi8> {
    %c0 = arith.constant 1.36381956e-02 : f32
    %c1 = arith.constant 3.90625000e-03 : f32
    %c2 = arith.constant 9.99999975e-06 : f32
    %c3 = arith.constant 0.00000000e+00 : f32
    %c4 = arith.constant 3.60000000e+01 : f32
    %c5 = arith.constant -1.280000e+02 : f32
    %c6 = arith.constant 1.270000e+02 : f32
    %c7 = arith.constant 0 : i32
    %c8 = arith.constant 7.88098958e-04 : f32
    %c9 = arith.constant 2.45523197e-03 : f32
    %c10 = arith.constant 5.55555560e-02 : f32
    %c11 = arith.constant 0xFF800000 : f32
    %c12 = arith.constant 1.27000000e+02 : f32
    %c13 = arith.constant 1.57480314e-02 : f32
    %c14 = arith.constant 8.51054152e-04 : f32
    %c15 = arith.constant 1.38888890e-02 : f32
    %c16 = arith.constant 1.80000000e+01 : f32
    %c17 = arith.constant 4.47149985e-02 : f32
    %c18 = arith.constant 7.97884583e-01 : f32
    %c19 = arith.constant 5.00000000e-01 : f32
    %c20 = arith.constant 1.00000000e+00 : f32
    %c21 = arith.constant 6.02256914e-04 : f32
    %c22 = arith.constant 2.93938770e+01 : f32
    %0 = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%input : tensor<64x256xi8>) outs(%0 : tensor<64x256xf32>) {
    ^bb0(%in: i8, %out: f32):
      %wide = arith.sitofp %in : i8 to f32
      %scaled = arith.mulf %wide, %c0 : f32
      linalg.yield %scaled : f32
    } -> tensor<64x256xf32>
    %2 = tensor.empty() : tensor<64xf32>
    %3 = linalg.fill ins(%c3 : f32) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    %4 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x256xf32>) outs(%3 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    } -> tensor<64xf32>
    %5 = tensor.empty() : tensor<64xf32>
    %6 = linalg.fill ins(%c3 : f32) outs(%5 : tensor<64xf32>) -> tensor<64xf32>
    %7 = linalg.generic {indexing_maps = [#map0, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%1, %4 : tensor<64x256xf32>, tensor<64xf32>) outs(%6 : tensor<64xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %out: f32):
      %mean = arith.mulf %in_1, %c1 : f32
      %centred = arith.subf %in_0, %mean : f32
      %square = arith.mulf %centred, %centred : f32
      %sum = arith.addf %out, %square : f32
      linalg.yield %sum : f32
    } -> tensor<64xf32>
    %8 = tensor.empty() : tensor<64x256xf32>
    %9 = linalg.generic {indexing_maps = [#map0, #map1, #map1, #map2, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%1, %4, %7, %norm1_gamma, %norm1_beta : tensor<64x256xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>) outs(%8 : tensor<64x256xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32):
      %mean = arith.mulf %in_1, %c1 : f32
      %centred = arith.subf %in_0, %mean : f32
      %variance = arith.mulf %in_2, %c1 : f32
      %guarded = arith.addf %variance, %c2 : f32
      %rsqrt = math.rsqrt %guarded : f32
      %normal = arith.mulf %centred, %rsqrt : f32
      %gained = arith.mulf %normal, %in_3 : f32
      %shifted = arith.addf %gained, %in_4 : f32
      linalg.yield %shifted : f32
    } -> tensor<64x256xf32>
    %10 = tensor.empty() : tensor<64x256xi8>
    %11 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<64x256xf32>) outs(%10 : tensor<64x256xi8>) {
    ^bb0(%in: f32, %out: i8):
      %scaled = arith.mulf %in, %c4 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %12 = tensor.empty() : tensor<64x256xi32>
    %13 = linalg.fill ins(%c7 : i32) outs(%12 : tensor<64x256xi32>) -> tensor<64x256xi32>
    %14 = linalg.matmul ins(%11, %q_proj_weight : tensor<64x256xi8>, tensor<256x256xi8>) outs(%13 : tensor<64x256xi32>) -> tensor<64x256xi32> loc("q_proj")
    %15 = tensor.empty() : tensor<64x256xi32>
    %16 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%14, %q_proj_bias : tensor<64x256xi32>, tensor<256xi32>) outs(%15 : tensor<64x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x256xi32>
    %17 = tensor.empty() : tensor<64x256xi8>
    %18 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<64x256xi32>) outs(%17 : tensor<64x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %19 = tensor.expand_shape %18 [[0], [1, 2]] output_shape [64, 2, 128] : tensor<64x256xi8> into tensor<64x2x128xi8>
    %20 = tensor.empty() : tensor<2x64x128xi8>
    %21 = linalg.transpose ins(%19 : tensor<64x2x128xi8>) outs(%20 : tensor<2x64x128xi8>) permutation = [1, 0, 2]
    %22 = tensor.empty() : tensor<64x256xi32>
    %23 = linalg.fill ins(%c7 : i32) outs(%22 : tensor<64x256xi32>) -> tensor<64x256xi32>
    %24 = linalg.matmul ins(%11, %k_proj_weight : tensor<64x256xi8>, tensor<256x256xi8>) outs(%23 : tensor<64x256xi32>) -> tensor<64x256xi32> loc("k_proj")
    %25 = tensor.empty() : tensor<64x256xi32>
    %26 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%24, %k_proj_bias : tensor<64x256xi32>, tensor<256xi32>) outs(%25 : tensor<64x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x256xi32>
    %27 = tensor.empty() : tensor<64x256xi8>
    %28 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<64x256xi32>) outs(%27 : tensor<64x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %29 = tensor.expand_shape %28 [[0], [1, 2]] output_shape [64, 2, 128] : tensor<64x256xi8> into tensor<64x2x128xi8>
    %30 = tensor.empty() : tensor<2x128x64xi8>
    %31 = linalg.transpose ins(%29 : tensor<64x2x128xi8>) outs(%30 : tensor<2x128x64xi8>) permutation = [1, 2, 0]
    %32 = tensor.empty() : tensor<64x256xi32>
    %33 = linalg.fill ins(%c7 : i32) outs(%32 : tensor<64x256xi32>) -> tensor<64x256xi32>
    %34 = linalg.matmul ins(%11, %v_proj_weight : tensor<64x256xi8>, tensor<256x256xi8>) outs(%33 : tensor<64x256xi32>) -> tensor<64x256xi32> loc("v_proj")
    %35 = tensor.empty() : tensor<64x256xi32>
    %36 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%34, %v_proj_bias : tensor<64x256xi32>, tensor<256xi32>) outs(%35 : tensor<64x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x256xi32>
    %37 = tensor.empty() : tensor<64x256xi8>
    %38 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<64x256xi32>) outs(%37 : tensor<64x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %39 = tensor.expand_shape %38 [[0], [1, 2]] output_shape [64, 2, 128] : tensor<64x256xi8> into tensor<64x2x128xi8>
    %40 = tensor.empty() : tensor<2x64x128xi8>
    %41 = linalg.transpose ins(%39 : tensor<64x2x128xi8>) outs(%40 : tensor<2x64x128xi8>) permutation = [1, 0, 2]
    %42 = tensor.empty() : tensor<2x64x64xi32>
    %43 = linalg.fill ins(%c7 : i32) outs(%42 : tensor<2x64x64xi32>) -> tensor<2x64x64xi32>
    %44 = linalg.batch_matmul ins(%21, %31 : tensor<2x64x128xi8>, tensor<2x128x64xi8>) outs(%43 : tensor<2x64x64xi32>) -> tensor<2x64x64xi32> loc("qk_t")
    %45 = tensor.empty() : tensor<2x64x64xi8>
    %46 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<2x64x64xi32>) outs(%45 : tensor<2x64x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<2x64x64xi8>
    %47 = tensor.empty() : tensor<2x64x64xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<2x64x64xi8>) outs(%47 : tensor<2x64x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %row = linalg.index 1 : index
      %column = linalg.index 2 : index
      %visible = arith.cmpi ule, %column, %row : index
      %wide = arith.sitofp %in : i8 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %logit = arith.select %visible, %scaled, %c11 : f32
      linalg.yield %logit : f32
    } -> tensor<2x64x64xf32>
    %49 = tensor.empty() : tensor<2x64xf32>
    %50 = linalg.fill ins(%c11 : f32) outs(%49 : tensor<2x64xf32>) -> tensor<2x64xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%48 : tensor<2x64x64xf32>) outs(%50 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %out, %in : f32
      linalg.yield %max : f32
    } -> tensor<2x64xf32>
    %52 = tensor.empty() : tensor<2x64x64xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %51 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%52 : tensor<2x64x64xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %out: f32):
      %below = arith.subf %in_0, %in_1 : f32
      %exp = math.exp %below : f32
      linalg.yield %exp : f32
    } -> tensor<2x64x64xf32>
    %54 = tensor.empty() : tensor<2x64xf32>
    %55 = linalg.fill ins(%c3 : f32) outs(%54 : tensor<2x64xf32>) -> tensor<2x64xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<2x64x64xf32>) outs(%55 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    } -> tensor<2x64xf32>
    %57 = tensor.empty() : tensor<2x64x64xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%57 : tensor<2x64x64xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %out: f32):
      %p = arith.divf %in_0, %in_1 : f32
      linalg.yield %p : f32
    } -> tensor<2x64x64xf32>
    %59 = tensor.empty() : tensor<2x64x64xi8>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x64x64xf32>) outs(%59 : tensor<2x64x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %scaled = arith.mulf %in, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<2x64x64xi8>
    %61 = tensor.empty() : tensor<2x64x128xi32>
    %62 = linalg.fill ins(%c7 : i32) outs(%61 : tensor<2x64x128xi32>) -> tensor<2x64x128xi32>
    %63 = linalg.batch_matmul ins(%60, %41 : tensor<2x64x64xi8>, tensor<2x64x128xi8>) outs(%62 : tensor<2x64x128xi32>) -> tensor<2x64x128xi32> loc("attn_v")
    %64 = tensor.empty() : tensor<2x64x128xi8>
    %65 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x64x128xi32>) outs(%64 : tensor<2x64x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c13 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<2x64x128xi8>
    %66 = tensor.empty() : tensor<64x2x128xi8>
    %67 = linalg.transpose ins(%65 : tensor<2x64x128xi8>) outs(%66 : tensor<64x2x128xi8>) permutation = [1, 0, 2]
    %68 = tensor.collapse_shape %67 [[0], [1, 2]] : tensor<64x2x128xi8> into tensor<64x256xi8>
    %69 = tensor.empty() : tensor<64x256xi32>
    %70 = linalg.fill ins(%c7 : i32) outs(%69 : tensor<64x256xi32>) -> tensor<64x256xi32>
    %71 = linalg.matmul ins(%68, %out_proj_weight : tensor<64x256xi8>, tensor<256x256xi8>) outs(%70 : tensor<64x256xi32>) -> tensor<64x256xi32> loc("out_proj")
    %72 = tensor.empty() : tensor<64x256xi32>
    %73 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%71, %out_proj_bias : tensor<64x256xi32>, tensor<256xi32>) outs(%72 : tensor<64x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x256xi32>
    %74 = tensor.empty() : tensor<64x256xi8>
    %75 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<64x256xi32>) outs(%74 : tensor<64x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %76 = tensor.empty() : tensor<64x256xf32>
    %77 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%1, %75 : tensor<64x256xf32>, tensor<64x256xi8>) outs(%76 : tensor<64x256xf32>) {
    ^bb0(%in_0: f32, %in_1: i8, %out: f32):
      %wide = arith.sitofp %in_1 : i8 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %sum = arith.addf %in_0, %scaled : f32
      linalg.yield %sum : f32
    } -> tensor<64x256xf32>
    %78 = tensor.empty() : tensor<64xf32>
    %79 = linalg.fill ins(%c3 : f32) outs(%78 : tensor<64xf32>) -> tensor<64xf32>
    %80 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "reduction"]} ins(%77 : tensor<64x256xf32>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    } -> tensor<64xf32>
    %81 = tensor.empty() : tensor<64xf32>
    %82 = linalg.fill ins(%c3 : f32) outs(%81 : tensor<64xf32>) -> tensor<64xf32>
    %83 = linalg.generic {indexing_maps = [#map0, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%77, %80 : tensor<64x256xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %out: f32):
      %mean = arith.mulf %in_1, %c1 : f32
      %centred = arith.subf %in_0, %mean : f32
      %square = arith.mulf %centred, %centred : f32
      %sum = arith.addf %out, %square : f32
      linalg.yield %sum : f32
    } -> tensor<64xf32>
    %84 = tensor.empty() : tensor<64x256xf32>
    %85 = linalg.generic {indexing_maps = [#map0, #map1, #map1, #map2, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%77, %80, %83, %norm2_gamma, %norm2_beta : tensor<64x256xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>) outs(%84 : tensor<64x256xf32>) {
    ^bb0(%in_0: f32, %in_1: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32):
      %mean = arith.mulf %in_1, %c1 : f32
      %centred = arith.subf %in_0, %mean : f32
      %variance = arith.mulf %in_2, %c1 : f32
      %guarded = arith.addf %variance, %c2 : f32
      %rsqrt = math.rsqrt %guarded : f32
      %normal = arith.mulf %centred, %rsqrt : f32
      %gained = arith.mulf %normal, %in_3 : f32
      %shifted = arith.addf %gained, %in_4 : f32
      linalg.yield %shifted : f32
    } -> tensor<64x256xf32>
    %86 = tensor.empty() : tensor<64x256xi8>
    %87 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%85 : tensor<64x256xf32>) outs(%86 : tensor<64x256xi8>) {
    ^bb0(%in: f32, %out: i8):
      %scaled = arith.mulf %in, %c4 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %88 = tensor.empty() : tensor<64x1024xi32>
    %89 = linalg.fill ins(%c7 : i32) outs(%88 : tensor<64x1024xi32>) -> tensor<64x1024xi32>
    %90 = linalg.matmul ins(%87, %ffn1_weight : tensor<64x256xi8>, tensor<256x1024xi8>) outs(%89 : tensor<64x1024xi32>) -> tensor<64x1024xi32> loc("ffn1")
    %91 = tensor.empty() : tensor<64x1024xi32>
    %92 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%90, %ffn1_bias : tensor<64x1024xi32>, tensor<1024xi32>) outs(%91 : tensor<64x1024xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x1024xi32>
    %93 = tensor.empty() : tensor<64x1024xi8>
    %94 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<64x1024xi32>) outs(%93 : tensor<64x1024xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x1024xi8>
    %95 = tensor.empty() : tensor<64x1024xi8>
    %96 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%94 : tensor<64x1024xi8>) outs(%95 : tensor<64x1024xi8>) {
    ^bb0(%in: i8, %out: i8):
      %wide = arith.sitofp %in : i8 to f32
      %x = arith.mulf %wide, %c10 : f32
      %square = arith.mulf %x, %x : f32
      %cube = arith.mulf %square, %x : f32
      %bent = arith.mulf %cube, %c17 : f32
      %sum = arith.addf %x, %bent : f32
      %inner = arith.mulf %sum, %c18 : f32
      %tanh = math.tanh %inner : f32
      %gate = arith.addf %tanh, %c20 : f32
      %half = arith.mulf %x, %c19 : f32
      %gelu = arith.mulf %half, %gate : f32
      %scaled = arith.mulf %gelu, %c16 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x1024xi8>
    %97 = tensor.empty() : tensor<64x256xi32>
    %98 = linalg.fill ins(%c7 : i32) outs(%97 : tensor<64x256xi32>) -> tensor<64x256xi32>
    %99 = linalg.matmul ins(%96, %ffn2_weight : tensor<64x1024xi8>, tensor<1024x256xi8>) outs(%98 : tensor<64x256xi32>) -> tensor<64x256xi32> loc("ffn2")
    %100 = tensor.empty() : tensor<64x256xi32>
    %101 = linalg.generic {indexing_maps = [#map0, #map2, #map0], iterator_types = ["parallel", "parallel"]} ins(%99, %ffn2_bias : tensor<64x256xi32>, tensor<256xi32>) outs(%100 : tensor<64x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<64x256xi32>
    %102 = tensor.empty() : tensor<64x256xi8>
    %103 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%101 : tensor<64x256xi32>) outs(%102 : tensor<64x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c21 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    %104 = tensor.empty() : tensor<64x256xf32>
    %105 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%77, %103 : tensor<64x256xf32>, tensor<64x256xi8>) outs(%104 : tensor<64x256xf32>) {
    ^bb0(%in_0: f32, %in_1: i8, %out: f32):
      %wide = arith.sitofp %in_1 : i8 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %sum = arith.addf %in_0, %scaled : f32
      linalg.yield %sum : f32
    } -> tensor<64x256xf32>
    %106 = tensor.empty() : tensor<64x256xi8>
    %107 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%105 : tensor<64x256xf32>) outs(%106 : tensor<64x256xi8>) {
    ^bb0(%in: f32, %out: i8):
      %scaled = arith.mulf %in, %c22 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c5 : f32
      %clamped = arith.minimumf %above, %c6 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<64x256xi8>
    return %107 : tensor<64x256xi8>
  }
}
