"""Exports trained `accurate` weights as a folder the package can run: ONNX, int8, with tokenizer and
settings.

Weights are quantized per channel (per tensor costs almost one point of F); activations are scaled at run
time.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from corpora import TAGS
from minilm import Tagger, load_base
from onnxruntime.quantization import QuantType, quantize_dynamic
from train_accurate import load_tokenizer

from heteronym.text.models.token_classifier import SHAPES

VERSION = "1.0"
OPSET = 17
WINDOW, OVERLAP = 128, 24


def export_onnx(tagger: Tagger, path: Path) -> None:
    """The network with free batch size and length."""
    example = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in range(3))
    names = ["ids", "shapes", "mask"]
    free = {name: {0: "rows", 1: "pieces"} for name in (*names, "scores")}
    torch.onnx.export(
        tagger.eval(),
        example,
        str(path),
        input_names=names,
        output_names=["scores"],
        dynamic_axes=free,
        opset_version=OPSET,
        dynamo=False,
    )
    onnx.checker.check_model(str(path))


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
