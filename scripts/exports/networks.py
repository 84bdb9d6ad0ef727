"""Whole networks, told to a style: who writes them decides the spelling.

Depths, kernels, strides, activations and connections are the published ones;
extents and widths are divided so that a network runs in seconds. A style has
the operations below; images are its own affair (NCHW or NHWC), and `.channels`,
`.height`, `.width` ask for their extents.
"""


def resnet(s, blocks, bottleneck, classes=100, width=16, extent=64):
    """He et al., 2016: 18 is [2, 2, 2, 2], 50 is [3, 4, 6, 3] with bottleneck."""
    x = s.conv(s.image(3, extent), width, 7, stride=2, norm=True, act="relu")
    x = s.max_pool(x, 3, 2, 1)
    for stage, count in enumerate(blocks):
        inner = width << stage
        outer = inner * 4 if bottleneck else inner
        for block in range(count):
            stride = 2 if stage and not block else 1
            if bottleneck:
                y = s.conv(x, inner, 1, norm=True, act="relu")
                y = s.conv(y, inner, 3, stride=stride, norm=True, act="relu")
                y = s.conv(y, outer, 1, norm=True)
            else:
                y = s.conv(x, inner, 3, stride=stride, norm=True, act="relu")
                y = s.conv(y, outer, 3, norm=True)
            if stride > 1 or s.channels(x) != outer:
                x = s.conv(x, outer, 1, stride=stride, norm=True)
            x = s.add(y, x, act="relu")
    return [s.linear(s.global_average(x), classes)]


def inverted_residuals(s, x, rows, act):
    for expand, out, count, stride, kernel in rows:
        for i in range(count):
            y = x
            if expand != 1:
                y = s.conv(y, s.channels(x) * expand, 1, norm=True, act=act)
            y = s.conv(y, s.channels(y), kernel, stride=stride if i == 0 else 1,
                       groups=s.channels(y), norm=True, act=act)
            y = s.conv(y, out, 1, norm=True)
            same = i > 0 or (stride == 1 and s.channels(x) == out)
            x = s.add(y, x) if same else y
    return x


def mobilenet_v2(s, classes=100):
    """Sandler et al., 2018, table 2."""
    x = s.conv(s.image(3, 64), 16, 3, stride=2, norm=True, act="relu6")
    x = inverted_residuals(s, x, [
        (1, 8, 1, 1, 3), (6, 16, 2, 2, 3), (6, 16, 3, 2, 3), (6, 24, 4, 2, 3),
        (6, 32, 3, 1, 3), (6, 48, 3, 2, 3), (6, 96, 1, 1, 3)], "relu6")
    x = s.conv(x, 256, 1, norm=True, act="relu6")
    return [s.linear(s.global_average(x), classes)]


def efficientnet_lite(s, classes=100):
    """EfficientNet-lite0: MBConv without squeeze and excitation, ReLU6."""
    x = s.conv(s.image(3, 64), 16, 3, stride=2, norm=True, act="relu6")
    x = inverted_residuals(s, x, [
        (1, 8, 1, 1, 3), (6, 16, 2, 2, 3), (6, 16, 2, 2, 5), (6, 24, 3, 2, 3),
        (6, 32, 3, 1, 5), (6, 48, 4, 2, 5), (6, 96, 1, 1, 3)], "relu6")
    x = s.conv(x, 256, 1, norm=True, act="relu6")
    return [s.linear(s.global_average(x), classes)]


def mobilenet_v3(s, classes=100):
    """Howard et al., 2019, small: squeeze and excitation, hard swish."""
    x = s.conv(s.image(3, 64), 16, 3, stride=2, norm=True, act="hard_swish")
    for kernel, inner, out, excite, act, stride in [
            (3, 16, 16, True, "relu", 2), (3, 72, 24, False, "relu", 2),
            (3, 88, 24, False, "relu", 1), (5, 96, 40, True, "hard_swish", 2),
            (5, 240, 40, True, "hard_swish", 1), (5, 120, 48, True, "hard_swish", 1),
            (5, 288, 96, True, "hard_swish", 2)]:
        y = x
        if inner != s.channels(x):
            y = s.conv(y, inner, 1, norm=True, act=act)
        y = s.conv(y, inner, kernel, stride=stride, groups=inner, norm=True, act=act)
        if excite:
            g = s.global_average(y, keep=True)
            g = s.conv(g, max(8, inner // 4), 1, act="relu")
            y = s.scale(y, s.conv(g, inner, 1, act="hard_sigmoid"))
        y = s.conv(y, out, 1, norm=True)
        x = s.add(y, x) if stride == 1 and out == s.channels(x) else y
    x = s.conv(x, 192, 1, norm=True, act="hard_swish")
    return [s.linear(s.linear(s.global_average(x), 256, act="hard_swish"), classes)]


def detector(s):
    """YOLO-like: CSP blocks, a path up by nearest neighbours, two heads."""
    def csp(x, out, count):
        a = s.conv(x, out // 2, 1, norm=True, act="silu")
        b = s.conv(x, out // 2, 1, norm=True, act="silu")
        for _ in range(count):
            y = s.conv(a, out // 2, 1, norm=True, act="silu")
            a = s.add(s.conv(y, out // 2, 3, norm=True, act="silu"), a)
        return s.conv(s.concat([a, b]), out, 1, norm=True, act="silu")

    x = s.conv(s.image(3, 64), 16, 3, stride=2, norm=True, act="silu")
    x = csp(s.conv(x, 32, 3, stride=2, norm=True, act="silu"), 32, 1)
    middle = csp(s.conv(x, 64, 3, stride=2, norm=True, act="silu"), 64, 2)
    deep = csp(s.conv(middle, 128, 3, stride=2, norm=True, act="silu"), 128, 1)
    up = s.upsample(s.conv(deep, 64, 1, norm=True, act="silu"))
    shallow = csp(s.concat([up, middle]), 64, 1)
    return [s.conv(shallow, 24, 1), s.conv(deep, 24, 1)]


def unet(s):
    """Ronneberger et al., 2015, three levels, upsampling by neighbours."""
    def double(x, out):
        x = s.conv(x, out, 3, norm=True, act="relu")
        return s.conv(x, out, 3, norm=True, act="relu")

    x, skips = s.image(3, 32), []
    for out in (16, 32):
        x = double(x, out)
        skips.append(x)
        x = s.max_pool(x, 2, 2, 0)
    x = double(x, 64)
    for out in (32, 16):
        x = s.conv(s.upsample(x), out, 3, norm=True, act="relu")
        x = double(s.concat([skips.pop(), x]), out)
    return [s.conv(x, 2, 1)]


def attention(s, x, heads, cache=None):
    q, k, v = (s.heads(s.linear(x, s.channels(x)), heads) for _ in range(3))
    if cache:
        k, v = s.append(cache[0], k), s.append(cache[1], v)
    scores = s.matmul(q, k, transposed=True, scale=s.channels(q) ** -0.5)
    y = s.join_heads(s.matmul(s.softmax(scores), v))
    return s.linear(y, s.channels(x)), k, v


def bert_tiny(s):
    """Turc et al., 2019: two layers, 128 wide, two heads; embedded tokens in."""
    x = s.tokens(32, 128)
    for _ in range(2):
        x = s.layer_norm(s.add(attention(s, x, 2)[0], x))
        y = s.linear(s.linear(x, 512, act="gelu"), 128)
        x = s.layer_norm(s.add(y, x))
    return [s.linear(x, 2)]


def decoder_block(s):
    """One token through a block with a gated FFN and a cache of keys, values."""
    x = s.tokens(1, 128)
    cache = [s.cached(4, 31, 32), s.cached(4, 31, 32)]
    y, k, v = attention(s, s.rms_norm(x), 4, cache)
    x = s.add(x, y)
    y = s.rms_norm(x)
    gate = s.linear(y, 344, act="silu", bias=False)
    y = s.linear(s.multiply(gate, s.linear(y, 344, bias=False)), 128, bias=False)
    return [s.add(x, y), k, v]


def keyword_spotter(s):
    """Convolution over frames, then an LSTM of which each step is written."""
    x = s.conv(s.image(1, 16), 16, 3, stride=2, norm=True, act="relu")
    x = s.conv(x, 16, 3, stride=2, norm=True, act="relu")
    steps = s.columns(x)
    width = 64
    gates = s.lstm_weights(steps[0], width)
    hidden, cell = s.zeros(width), s.zeros(width)
    for step in steps:
        hidden, cell = s.lstm_step(gates, step, hidden, cell, width)
    return [s.linear(hidden, 12)]


VISION = {
    "resnet18": lambda s: resnet(s, [2, 2, 2, 2], False),
    "resnet50": lambda s: resnet(s, [3, 4, 6, 3], True),
    "mobilenet_v2": mobilenet_v2,
    "mobilenet_v3": mobilenet_v3,
    "efficientnet_lite": efficientnet_lite,
    "detector": detector,
    "unet": unet,
}
# As published, for how long it takes to read them. Written only by name.
FULL_SIZE = {
    "resnet50_full": lambda s: resnet(s, [3, 4, 6, 3], True, 1000, 64, 224),
}
SEQUENCES = {
    "bert_tiny": bert_tiny,
    "decoder_block": decoder_block,
    "keyword_spotter": keyword_spotter,
}
