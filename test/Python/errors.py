"""What the module fadiff refuses, and how it says so; and types that need care."""

import pathlib
import tempfile
import unittest

import fadiff
import numpy

PRODUCT = """
func.func @main(%a: tensor<4x8xi8>, %b: tensor<8x3xi8>) -> tensor<4x3xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x3xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x3xi32>) -> tensor<4x3xi32>
  %sum = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x3xi8>)
      outs(%init : tensor<4x3xi32>) -> tensor<4x3xi32>
  return %sum : tensor<4x3xi32>
}
"""


REAL = """
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x3xf32>
  %empty = tensor.empty() : tensor<4x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x3xf32>) -> tensor<4x3xf32>
  %sum = linalg.matmul ins(%a, %w : tensor<4x8xf32>, tensor<8x3xf32>)
      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %sum : tensor<4x3xf32>
}
"""
# A model of ONNX's own tests whose second input is the shape of its result.
RESHAPE = pathlib.Path("/usr/share/libonnx-testdata/data/node/test_reshape_reordered_all_dims")


class Module(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.net = fadiff.load(self.write("product.mlir", PRODUCT))
        self.a = numpy.arange(-16, 16, dtype=numpy.int8).reshape(4, 8)
        self.b = numpy.arange(24, dtype=numpy.int8).reshape(8, 3)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return path

    def test_runs(self):
        wanted = self.a.astype(numpy.int32) @ self.b.astype(numpy.int32)
        plan = fadiff.schedule(self.net, target="gemmini-small")
        run = plan.simulate([self.a, self.b])
        numpy.testing.assert_array_equal(run.outputs[0], wanted)
        numpy.testing.assert_array_equal(self.net.run([self.a, self.b])[0], wanted)
        self.assertEqual(run.dram_read, plan.costs["dram_read"].sum())
        self.assertEqual(plan.value, plan.energy * 1e-6 * plan.cycles)
        self.assertEqual(plan.summary[0]["host"]["macs"], 4 * 8 * 3)

    def test_plan_without_network(self):
        plan = fadiff.schedule(fadiff.load(self.write("again.mlir", PRODUCT)), target="gemmini")
        self.assertEqual(plan.run([self.a, self.b])[0].shape, (4, 3))

    def test_arrays_that_lie_otherwise(self):
        turned = numpy.asfortranarray(self.a)
        wanted = self.a.astype(numpy.int32) @ self.b.astype(numpy.int32)
        numpy.testing.assert_array_equal(self.net.run([turned, self.b])[0], wanted)
        numpy.testing.assert_array_equal(
            self.net.run([self.a[::-1], self.b])[0], wanted[::-1])

    def test_types(self):
        self.assertEqual([t.shape for t in self.net.inputs], [(4, 8), (8, 3)])
        self.assertEqual([t.dtype for t in self.net.outputs], ["int32"])

    def test_quantise(self):
        net = fadiff.load(self.write("real.mlir", REAL))
        draw = numpy.random.default_rng(1)
        samples = [draw.uniform(-1, 1, (4, 8)).astype(numpy.float32) for _ in range(6)]
        self.assertIsNone(net.quantization)
        whole = fadiff.quantize(net, samples, target="gemmini", ranges="mse",
                                bias_correction=True)
        report = whole.quantization
        self.assertEqual((report["samples"], report["held_out"]), (3, 3))
        self.assertGreater(report["outputs"][0]["held_out_db"], 30)
        found = whole.run([samples[0]])[0]
        numpy.testing.assert_allclose(found, net.run([samples[0]])[0], atol=0.05)
        plan = fadiff.schedule(whole, target="gemmini")
        numpy.testing.assert_array_equal(plan.run([samples[0]])[0], found)
        self.assertEqual(plan.summary[0]["host"]["macs_on_array"], 4 * 8 * 3)

    def test_quantise_by_nothing(self):
        net = fadiff.load(self.write("real.mlir", REAL))
        with self.assertRaisesRegex(fadiff.Error, "wanted data to calibrate with"):
            fadiff.quantize(net, target="gemmini")
        with self.assertRaisesRegex(fadiff.Error, "wanted tensor<4x8xf32>.*found an array"):
            fadiff.quantize(net, [numpy.zeros((4, 7), numpy.float32)])
        with self.assertRaisesRegex(fadiff.Error, "element 5 is NaN"):
            fadiff.quantize(net, [numpy.array([[numpy.nan if i == 5 else 1 for i in range(8)]] * 4,
                                              numpy.float32)])
        with self.assertRaisesRegex(fadiff.Error, "colour"):
            fadiff.quantize(net, colour="blue")

    def test_quantise_by_files(self):
        """A directory of samples, as NumPy's files and as TensorProtos of ONNX."""
        net = fadiff.load(self.write("real.mlir", REAL))
        draw = numpy.random.default_rng(2)
        samples = [draw.uniform(-1, 1, (4, 8)).astype(numpy.float32) for _ in range(4)]
        wanted = fadiff.quantize(net, samples, target="gemmini").quantization
        for ending in ("npy", "pb"):
            folder = pathlib.Path(self.folder.name) / f"all {ending}"
            folder.mkdir()
            for i, sample in enumerate(samples):
                if ending == "npy":
                    numpy.save(folder / f"{i}.npy", sample)
                else: # dims, FLOAT, raw_data
                    (folder / f"{i}.pb").write_bytes(
                        b"\x08\x04\x08\x08\x10\x01\x4a\x80\x01" + sample.tobytes())
            found = fadiff.quantize(net, folder, target="gemmini").quantization
            self.assertEqual(found["layers"], wanted["layers"])
            self.assertEqual(found["samples"], 2)

    def test_quantise_each_argument(self):
        """Two arguments with ranges of their own, one of them not in C's order."""
        net = fadiff.load(self.write("two.mlir", """
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x3xf32>) -> tensor<4x3xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x3xf32>)
      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %sum : tensor<4x3xf32>
}
"""))
        draw = numpy.random.default_rng(3)
        def sample():
            a = draw.uniform(-1, 1, (8, 4)).astype(numpy.float32).T
            return [a * numpy.arange(1, 5, dtype=numpy.float32)[:, None],
                    draw.uniform(-50, 50, (8, 3)).astype(numpy.float32)]
        samples = [sample() for _ in range(6)]
        whole = fadiff.quantize(net, samples, target="gemmini")
        report = whole.quantization
        self.assertEqual((report["samples"], report["held_out"]), (3, 3))
        self.assertGreater(report["outputs"][0]["held_out_db"], 25)
        # The range is what the samples to calibrate with have, the first axis as given.
        largest = max(numpy.abs(a).max() for a, _ in samples[::2])
        self.assertAlmostEqual(report["layers"][0]["input_scale"], largest / 127, places=5)
        wanted = [a.astype(float) @ b for a, b in samples[1::2]]
        noise = sum(((whole.run(s)[0] - w) ** 2).sum() for s, w in zip(samples[1::2], wanted))
        ratio = 10 * numpy.log10(sum((w ** 2).sum() for w in wanted) / noise)
        self.assertAlmostEqual(ratio, report["outputs"][0]["held_out_db"], places=2)

    def test_quantise_another_function(self):
        text = REAL.replace("@main", "@second") + PRODUCT
        net = fadiff.load(self.write("several.mlir", text), entry="second")
        whole = fadiff.quantize(net, random_samples=4, target="gemmini")
        self.assertEqual([t.dtype for t in whole.inputs], ["float32"])
        self.assertIn("@second", whole.text)
        self.assertIn("xi8>", whole.text)

    def test_quantise_keeps_names(self):
        net = fadiff.load(pathlib.Path(__file__).parents[2] / "examples/digits/digits.onnx",
                          dims={"batch": 2})
        whole = fadiff.quantize(net, random_samples=2, target="gemmini")
        self.assertEqual([t.name for t in whole.inputs], ["image"])
        self.assertEqual(whole.inputs[0].shape[0], 2)

    def test_braces(self):
        with self.assertRaisesRegex(fadiff.Error, "option colour: wanted no braces"):
            fadiff.quantize(self.net, colour="a}b")

    def test_bind(self):
        data = RESHAPE / "test_data_set_0"
        with self.assertRaisesRegex(fadiff.Error, "--bind"):
            fadiff.load(RESHAPE / "model.onnx")
        net = fadiff.load(RESHAPE / "model.onnx", bind={"shape": data / "input_1.pb"})
        self.assertEqual([t.name for t in net.inputs], ["data"])
        self.assertEqual(net.outputs[0].shape, (4, 2, 3))
        net = fadiff.load(RESHAPE / "model.onnx",
                          bind={"shape": numpy.array([4, 2, 3], numpy.int64)})
        values = numpy.arange(24, dtype=numpy.float32).reshape(net.inputs[0].shape)
        numpy.testing.assert_array_equal(net.run([values])[0], values.reshape(4, 2, 3))
        with self.assertRaisesRegex(fadiff.Error, "colour"):
            fadiff.load(RESHAPE / "model.onnx", bind={"colour": data / "input_1.pb"})

    def test_bind_two(self):
        """Each name has its own value."""
        clip = RESHAPE.parent / "test_clip"
        net = fadiff.load(clip / "model.onnx", bind={
            "min": numpy.array(-0.25, numpy.float32), "max": numpy.array(0.5, numpy.float32)})
        self.assertEqual([t.name for t in net.inputs], ["x"])
        values = numpy.linspace(-1, 1, 60, dtype=numpy.float32).reshape(net.inputs[0].shape)
        numpy.testing.assert_array_equal(net.run([values])[0], values.clip(-0.25, 0.5))

    def test_report(self):
        path = pathlib.Path(self.folder.name) / "report.json"
        fadiff.schedule(self.net, target="gemmini").report(path)
        self.assertIn('"dram_read"', path.read_text())

    def test_wrong_type(self):
        with self.assertRaisesRegex(TypeError, "input 0: wanted an array of int8, found one of "
                                               "float64; use .astype"):
            self.net.run([self.a.astype(float), self.b])

    def test_wrong_shape(self):
        with self.assertRaisesRegex(fadiff.Error, "input 1: wanted tensor<8x3xi8>, found "
                                                  "tensor<4x8xi8>"):
            self.net.run([self.a, self.a])

    def test_wrong_number(self):
        with self.assertRaisesRegex(ValueError, "wanted 2 inputs, one for each argument, found 1"):
            self.net.run([self.a])

    def test_no_target(self):
        with self.assertRaisesRegex(fadiff.Error, "nowhere"):
            fadiff.schedule(self.net, target="nowhere")

    def test_no_option(self):
        with self.assertRaisesRegex(fadiff.Error, "colour"):
            fadiff.schedule(self.net, colour="blue")

    def test_no_cache(self):
        with self.assertRaisesRegex(fadiff.Error, "cache: cannot write '/no/such/file'"):
            fadiff.schedule(self.net, cache="/no/such/file")

    def test_no_file(self):
        with self.assertRaisesRegex(fadiff.Error, "none.onnx.*No such file"):
            fadiff.load(pathlib.Path(self.folder.name) / "none.onnx")

    def test_damaged(self):
        with self.assertRaisesRegex(fadiff.Error, "damaged.onnx"):
            fadiff.load(self.write("damaged.onnx", "nothing of that kind"))

    def test_place_of_an_error(self):
        with self.assertRaisesRegex(fadiff.Error, r'broken.mlir":2:\d+.*error'):
            fadiff.load(self.write("broken.mlir", "\nfunc.func @main(%a: tensor<6x>"))


if __name__ == "__main__":
    unittest.main()
