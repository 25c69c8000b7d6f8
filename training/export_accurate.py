"""Exports trained `accurate` weights as a folder the package can run: ONNX, int8, tokenizer, settings.

The exported graph reads one window of text at a time: no mask, one product for query, key and value, and in
the last layer only the first pieces of words, which are the ones that carry tags. Weights are quantized per
channel (per tensor costs almost one point of F); activations are scaled at run time.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from corpora import TAGS
from minilm import HEADS, WIDTH, Layer, Tagger, load_base
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional
from train_accurate import load_tokenizer

from heteronym.text.models.token_classifier import SHAPES

VERSION = "2.0"
OPSET = 17
WINDOW, OVERLAP = 160, 24


class OneWindow(nn.Module):
    """The same network for the pieces of one window; `first` holds the places of the words' first pieces."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger
        self.fused = nn.ModuleList(_fused(layer) for layer in tagger.layers)

    def forward(self, ids: Tensor, shapes: Tensor, first: Tensor) -> Tensor:
        net = self.tagger
        places = torch.arange(ids.shape[0])
        x = net.norm(net.words(ids) + net.positions(places) + net.shapes(shapes))
        for i, (layer, fused) in enumerate(zip(net.layers, self.fused)):
            query, key, value = (
                part.view(-1, HEADS, WIDTH // HEADS).transpose(0, 1) for part in fused(x).split(WIDTH, -1)
            )
            if i + 1 == len(net.layers):
                query, x = query[:, first], x[first]
            mixed = torch.softmax(query @ key.transpose(-1, -2), -1) @ value
            x = layer.attended_norm(x + layer.attended(mixed.transpose(0, 1).reshape(-1, WIDTH)))
            x = layer.outer_norm(x + layer.outer(functional.gelu(layer.inner(x))))
        scores: Tensor = net.head(x)
        return scores


def _fused(layer: Layer) -> nn.Linear:
    """Query, key and value as one product, the scale of the attention inside the query."""
    scale = (WIDTH // HEADS) ** -0.5
    fused = nn.Linear(WIDTH, 3 * WIDTH)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([layer.query.weight * scale, layer.key.weight, layer.value.weight]))
        fused.bias.copy_(torch.cat([layer.query.bias * scale, layer.key.bias, layer.value.bias]))
    return fused


def export_onnx(tagger: Tagger, path: Path) -> None:
    """The network with free length."""
    names = ["ids", "shapes", "first"]
    free = {"ids": {0: "pieces"}, "shapes": {0: "pieces"}, "first": {0: "words"}, "scores": {0: "words"}}
    network = OneWindow(tagger).eval()
    _check_same(tagger.eval(), network)
    torch.onnx.export(
        network,
        (torch.ones(8, dtype=torch.int64), torch.ones(8, dtype=torch.int64), torch.arange(1, 6)),
        str(path),
        input_names=names,
        output_names=["scores"],
        dynamic_axes=free,
        opset_version=OPSET,
        dynamo=False,
    )
    onnx.checker.check_model(str(path))


def _check_same(tagger: Tagger, network: OneWindow) -> None:
    """Whether the rearranged network still gives the trained one's scores."""
    ids = torch.arange(1000, 1100)
    shapes, first = ids % 8, torch.arange(1, 100, 3)
    with torch.no_grad():
        trained = tagger(ids[None], shapes[None], torch.ones_like(ids)[None])[0, first]
        if not torch.allclose(trained, network(ids, shapes, first), atol=1e-3):
            raise ValueError("the exported network does not give the scores of the trained one")


def write_config(tokenizer_folder: Path, out: Path, outside_bias: float) -> None:
    """Settings of the runtime."""
    tokenizer = load_tokenizer(tokenizer_folder)
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    config = {
        "name": "accurate",
        "version": VERSION,
        "language": "en",
        "labels": list(TAGS),
        "shapes": {name: number for number, name in enumerate(SHAPES)},
        "window": WINDOW,
        "overlap": OVERLAP,
        "begin_id": tokenizer.token_to_id("[CLS]"),
        "end_id": tokenizer.token_to_id("[SEP]"),
        "outside_bias": outside_bias,
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def export(base: Path, weights: Path, out: Path, outside_bias: float) -> None:
    """Base weights plus trained weights, quantized, into `out`."""
    tagger = load_base(base, len(TAGS))
    tagger.load_state_dict(torch.load(weights), strict=False)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain, quantized = Path(scratch) / "plain.onnx", Path(scratch) / "model.onnx"
        export_onnx(tagger, plain)
        quantize_dynamic(plain, quantized, per_channel=True, weight_type=QuantType.QInt8)
        shutil.copyfile(quantized, out / "model.onnx")
    write_config(base, out, outside_bias)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "base", type=Path, help="folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2"
    )
    parser.add_argument("--weights", type=Path, default=Path("training/work/accurate/best.pt"))
    parser.add_argument("--out", type=Path, default=Path("src/heteronym/text/models/accurate"))
    parser.add_argument(
        "--outside-bias", type=float, default=0.0, help="subtracted from the score of O: more recall"
    )
    options = parser.parse_args()
    export(options.base, options.weights, options.out, options.outside_bias)


if __name__ == "__main__":
    main()
