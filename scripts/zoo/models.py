"""The networks of export_zoo.py: torchvision's, and three in plain torch.nn.

`NETWORKS` has, by name, a function that makes the network with its input. Weights
are torch's own initialisation from a seed; what batch normalisation knows of its
input is not, as it would be nothing: `settle` lets it see noise.
"""

import math

import torch
import torchvision
from torch import nn
from torch.nn import functional
from torchvision.models.detection.backbone_utils import resnet_fpn_backbone
from torchvision.models.detection.retinanet import RetinaNetHead
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

import trained


class Double(nn.Sequential):
    """Two convolutions of 3x3, each with batch normalisation and ReLU."""

    def __init__(self, inner, out):
        super().__init__(
            nn.Conv2d(inner, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(True),
            nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(True))


class UNet(nn.Module):
    """Ronneberger et al., with padding and half of the channels."""

    def __init__(self, channels=3, classes=4, width=32, depth=4):
        super().__init__()
        widths = [width << level for level in range(depth + 1)]
        self.first = Double(channels, widths[0])
        self.down = nn.ModuleList(Double(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(
            nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(widths, widths[1:]))
        self.join = nn.ModuleList(Double(2 * a, a) for a in widths[:-1])
        self.last = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        kept = [self.first(x)]
        for level in self.down:
            kept.append(level(functional.max_pool2d(kept[-1], 2)))
        y = kept.pop()
        for up, join in zip(reversed(self.up), reversed(self.join)):
            y = join(torch.cat([kept.pop(), up(y)], dim=1))
        return self.last(y)


class BertLayer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.output = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.last = nn.LayerNorm(width, eps=1e-12)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        q, k, v = (self.split(f(x)) for f in (self.query, self.key, self.value))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + mask
        y = (torch.softmax(scores, dim=-1) @ v).permute(0, 2, 1, 3).contiguous()
        x = self.norm(self.output(y.view(*x.shape)) + x)
        return self.last(self.outer(functional.gelu(self.inner(x))) + x)


class Bert(nn.Module):
    """Devlin et al., base: token ids and a mask in, the last hidden states and
    the pooled first of them out."""

    def __init__(self, tokens=30522, width=768, layers=12, heads=12, positions=512):
        super().__init__()
        self.word = nn.Embedding(tokens, width)
        self.position, self.kind = nn.Embedding(positions, width), nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(BertLayer(width, heads, 4 * width) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, ids, mask):
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        x = self.norm(self.word(ids) + self.position(places) + self.kind(torch.zeros_like(ids)))
        hidden = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        for layer in self.layers:
            x = layer(x, hidden)
        return x, torch.tanh(self.pooler(x[:, 0]))


class RmsNorm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


class Llama(nn.Module):
    """A decoder block of Touvron et al.: rotary positions, a causal mask, SwiGLU,
    heads of keys and values that several queries share."""

    def __init__(self, width=1024, heads=16, shared=4, inner=2816):
        super().__init__()
        self.heads, self.shared, self.each = heads, shared, width // heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, shared * self.each, bias=False)
        self.v = nn.Linear(width, shared * self.each, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)
        self.first, self.second = RmsNorm(width), RmsNorm(width)

    def rotate(self, x, cos, sin):
        half = x.shape[-1] // 2
        turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
        return x * cos + turned * sin

    def forward(self, x):
        batch, length, _ = x.shape
        speeds = 10000.0 ** (-torch.arange(0, self.each, 2).float() / self.each)
        angles = torch.outer(torch.arange(length).float(), speeds)
        angles = torch.cat((angles, angles), dim=-1)
        cos, sin = angles.cos(), angles.sin()
        y = self.first(x)
        q, k, v = (f(y).view(batch, length, -1, self.each).transpose(1, 2)
                   for f in (self.q, self.k, self.v))
        q, k = self.rotate(q, cos, sin), self.rotate(k, cos, sin)
        k, v = (t[:, :, None].expand(-1, -1, self.heads // self.shared, -1, -1)
                .reshape(batch, self.heads, length, self.each) for t in (k, v))
        place = torch.arange(length)  # triu is no operator of opset 13
        mask = -1e9 * (place > place[:, None]).float()
        scores = q @ k.transpose(2, 3) / math.sqrt(self.each) + mask
        y = torch.softmax(scores.float(), dim=-1) @ v
        x = x + self.o(y.transpose(1, 2).reshape(batch, length, -1))
        y = self.second(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class RetinaNet(nn.Module):
    """Lin et al.: ResNet-50 with a feature pyramid and the heads on its five levels, from
    torchvision. What chooses boxes from their outputs is no layer, and not here."""

    def __init__(self, classes=91, anchors=9):
        super().__init__()
        self.backbone = resnet_fpn_backbone(
            backbone_name="resnet50", weights=None, norm_layer=nn.BatchNorm2d,
            returned_layers=[2, 3, 4], extra_blocks=LastLevelP6P7(256, 256))
        self.head = RetinaNetHead(256, anchors, classes)

    def forward(self, x):
        found = self.head(list(self.backbone(x).values()))
        return found["cls_logits"], found["bbox_regression"]


def image(extent):
    """Noise as smooth as photographs are, about 0 with deviation 1."""
    return lambda: (functional.interpolate(
        torch.randn(1, 3, extent // 4, extent // 4), size=(extent, extent), mode="bilinear",
        align_corners=False) * 1.5 + 0.3 * torch.randn(1, 3, extent, extent),)


def words(length):
    def make():
        mask = torch.ones(1, length, dtype=torch.long)
        mask[:, length - length // 8:] = 0
        return torch.randint(0, 30522, (1, length)), mask
    return make


def vision(name, extent=224, **options):
    return lambda: getattr(torchvision.models, name)(weights=None, **options), image(extent)


# Whose weights are trained, so nothing of them is drawn.
TRAINED = {"mobilenet_v2_shapes": (trained.build, trained.image)}

# Per name: what makes the network, what makes an input.
NETWORKS = {
    "resnet18": vision("resnet18"),
    "resnet50": vision("resnet50"),
    "regnet_x_400mf": vision("regnet_x_400mf"),
    "mobilenet_v2": vision("mobilenet_v2"),
    "mobilenet_v3_small": vision("mobilenet_v3_small"),
    "mobilenet_v3_large": vision("mobilenet_v3_large"),
    "efficientnet_b0": vision("efficientnet_b0"),
    "inception_v3": vision("inception_v3", 299, init_weights=True),
    "vit_b_16": vision("vit_b_16"),
    "unet": (UNet, image(128)),
    "retinanet": (RetinaNet, image(256)),
    "bert_base": (Bert, words(128)),
    "llama_block": (Llama, lambda: (torch.randn(1, 64, 1024),)),
    **TRAINED,
}


def settle(network, make_input):
    """Gives normalisations weights that are not all one, and batch normalisations
    the statistics of what they see of noise."""
    norms = []
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.LayerNorm)):
            nn.init.uniform_(module.weight, 0.7, 1.3)
            nn.init.normal_(module.bias, 0, 0.2)
        elif isinstance(module, RmsNorm):
            nn.init.uniform_(module.weight, 0.7, 1.3)
        if isinstance(module, nn.BatchNorm2d):
            norms.append(module)
            module.reset_running_stats()
            module.momentum = None  # the mean of all that it sees
    if norms:
        network.eval()
        for module in norms:
            module.train()
        with torch.no_grad():
            for _ in range(2):
                network(torch.cat([make_input()[0] for _ in range(2)]))
    return network.eval()


def make(name, seed=1, folder=None):
    """The network, in evaluation mode, and its input. Weights that are trained are
    kept in the folder, if one is given, and read there instead of trained again."""
    torch.manual_seed(seed)
    build, make_input = NETWORKS[name]
    if name in TRAINED:
        return build(folder), make_input
    network = build()
    if name == "vit_b_16":  # torchvision leaves its last layer zero
        nn.init.normal_(network.heads.head.weight, 0, 0.02)
    return settle(network, make_input), make_input
