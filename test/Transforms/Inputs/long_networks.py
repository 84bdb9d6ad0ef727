#!/usr/bin/env python3
"""Prints networks that take long to search, or to compile.

    long_networks.py convolution H W C K R S
    long_networks.py chain H W RxS...       layers of 100 channels, one by one
    long_networks.py thin W N               N thin convolutions of one long row
    long_networks.py functions N            functions of a layer each
    long_networks.py layers N               a chain of small products and host code
"""

import sys

QUANTISE = """^bb0(%sum: i32, %old: i8):
      %scale = arith.constant 0.01 : f32
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %real = arith.sitofp %sum : i32 to f32
      %scaled = arith.mulf %real, %scale : f32
      %round = math.roundeven %scaled : f32
      %above = arith.maximumf %round, %low : f32
      %inside = arith.minimumf %above, %high : f32
      %byte = arith.fptosi %inside : f32 to i8
      linalg.yield %byte : i8
    }"""


def tensor(shape, element="i8"):
    return "tensor<" + "x".join(map(str, shape)) + "x" + element + ">"


def contract(name, op, x, x_shape, w, w_shape, shape):
    """`name` is the int32 result."""
    sums = tensor(shape, "i32")
    return f"""    %{name}_e = tensor.empty() : {sums}
    %{name}_f = linalg.fill ins(%zero : i32) outs(%{name}_e : {sums}) -> {sums}
    %{name} = {op} ins(%{x}, %{w} : {tensor(x_shape)}, {tensor(w_shape)}) outs(%{name}_f : {sums}) -> {sums}
"""


def quantise(name, x, shape):
    rank = len(shape)
    dims = ", ".join(f"d{i}" for i in range(rank))
    loops = ", ".join(['"parallel"'] * rank)
    same = f"affine_map<({dims}) -> ({dims})>"
    return f"""    %{name}_e = tensor.empty() : {tensor(shape)}
    %{name} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{loops}]}} ins(%{x} : {tensor(shape, "i32")}) outs(%{name}_e : {tensor(shape)}) {{
    {QUANTISE} -> {tensor(shape)}
"""


def function(name, arguments, body, result, result_type):
    text = ", ".join(f"%{argument}: {kind}" for argument, kind in arguments)
    return f"""  func.func @{name}({text}) -> {result_type} {{
    %zero = arith.constant 0 : i32
{body}    return %{result} : {result_type}
  }}
"""


def convolution(h, w, c, k, r, s):
    x, f, y = [1, h, w, c], [r, s, c, k], [1, h - r + 1, w - s + 1, k]
    body = contract("y", "linalg.conv_2d_nhwc_hwcf", "x", x, "f", f, y)
    return function(
        "main", [("x", tensor(x)), ("f", tensor(f))], body, "y", tensor(y, "i32")
    )


def chain(h, w, kernels):
    c, shape, x, body = 100, [1, h, w, 100], "x", ""
    arguments = [("x", tensor(shape))]
    for i, (r, s) in enumerate(kernels):
        weights = [r, s, c, c]
        arguments.append((f"w{i}", tensor(weights)))
        made = [1, shape[1] - r + 1, shape[2] - s + 1, c]
        body += contract(
            f"m{i}", "linalg.conv_2d_nhwc_hwcf", x, shape, f"w{i}", weights, made
        )
        body += quantise(f"q{i}", f"m{i}", made)
        x, shape = f"q{i}", made
    return function("main", arguments, body, x, tensor(shape))


def thin(w, n):
    body, arguments, results, kinds = "", [], [], []
    for i in range(n):
        x, f, y = [1, 1, w + 6 * i, 3], [1, 7, 3, 64], [1, 1, w + 6 * i - 6, 64]
        arguments += [(f"x{i}", tensor(x)), (f"f{i}", tensor(f))]
        body += contract(f"y{i}", "linalg.conv_2d_nhwc_hwcf", f"x{i}", x, f"f{i}", f, y)
        results.append(f"%y{i}")
        kinds.append(tensor(y, "i32"))
    text = ", ".join(f"%{argument}: {kind}" for argument, kind in arguments)
    return f"""  func.func @main({text}) -> ({", ".join(kinds)}) {{
    %zero = arith.constant 0 : i32
{body}    return {", ".join(results)} : {", ".join(kinds)}
  }}
"""


def functions(n):
    text = ""
    for i in range(n):
        x, w, y = [997 + i, 512], [512, 769], [997 + i, 769]
        body = contract("y", "linalg.matmul", "x", x, "w", w, y)
        text += function(
            f"f{i}", [("x", tensor(x)), ("w", tensor(w))], body, "y", tensor(y, "i32")
        )
    return text


def layers(n):
    shape, weights = [8, 16], [16, 16]
    arguments, body, x = [("x", tensor(shape))], "", "x"
    for i in range(n):
        arguments.append((f"w{i}", tensor(weights)))
        body += contract(f"m{i}", "linalg.matmul", x, shape, f"w{i}", weights, shape)
        body += quantise(f"q{i}", f"m{i}", shape)
        kind = tensor(shape)
        body += f"""    %a{i}_e = tensor.empty() : {kind}
    %a{i} = linalg.add ins(%q{i}, %{x} : {kind}, {kind}) outs(%a{i}_e : {kind}) -> {kind}
"""
        x = f"a{i}"
    return function("main", arguments, body, x, tensor(shape))


kind, *given = sys.argv[1:]
if kind == "chain":
    kernels = [tuple(map(int, pair.split("x"))) for pair in given[2:]]
    text = chain(int(given[0]), int(given[1]), kernels)
else:
    text = globals()[kind](*map(int, given))
print("module {\n" + text + "}")
