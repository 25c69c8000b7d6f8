"""The network of the `accurate` model: MiniLM-L6 (a small BERT) with a tag layer on top.

Written out instead of taken from a library, so that the exported graph is small and plain. The base weights
are
uncased; the word's shape enters through the token-type table, which is resized to one row per shape.
Weights: all-MiniLM-L6-v2 (Apache-2.0), read from a local copy and checked against the published hash.
"""

import hashlib
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from heteronym.text.models.token_classifier import SHAPES

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY, POSITIONS, WIDTH, INNER, HEADS, LAYERS = 30522, 512, 384, 1536, 12, 6
DROPOUT = 0.1


class Layer(nn.Module):
    """One transformer block, normalised after each residual sum as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        rows, length, _ = x.shape

        def heads(linear: nn.Linear) -> Tensor:
            return linear(x).view(rows, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            heads(self.query), heads(self.key), heads(self.value), attn_mask=bias
        )
        mixed = self.attended(mixed.transpose(1, 2).reshape(rows, length, WIDTH))
        x = self.attended_norm(x + functional.dropout(mixed, DROPOUT, self.training))
        return self.outer_norm(
            x + functional.dropout(self.outer(functional.gelu(self.inner(x))), DROPOUT, self.training)
        )


class Tagger(nn.Module):
    """Word pieces, shapes and attention mask in; one row of tag scores per word piece out."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.shapes = nn.Embedding(len(SHAPES), WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, tags)

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.positions(places) + self.shapes(shapes))
        x = functional.dropout(x, DROPOUT, self.training)
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return self.head(functional.dropout(x, DROPOUT, self.training))


_BERT_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "outer_norm": "output.LayerNorm",
}


def load_base(folder: Path, tags: int) -> Tagger:
    """A tagger with the base weights, a fresh tag layer and every shape starting at token type 0."""
    path = folder / "model.safetensors"
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        raise ValueError(f"base weights have sha256 {found}, expected {WEIGHTS_SHA256}")
    bert = load_file(path)
    tagger = Tagger(tags)
    state = tagger.state_dict()
    state["words.weight"] = bert["embeddings.word_embeddings.weight"]
    state["positions.weight"] = bert["embeddings.position_embeddings.weight"]
    state["shapes.weight"] = bert["embeddings.token_type_embeddings.weight"][:1].repeat(len(SHAPES), 1)
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = bert[f"embeddings.LayerNorm.{part}"]
        for i in range(LAYERS):
            for ours, theirs in _BERT_NAMES.items():
                state[f"layers.{i}.{ours}.{part}"] = bert[f"encoder.layer.{i}.{theirs}.{part}"]
    tagger.load_state_dict(state)
    return tagger
