"""Scores the exported `accurate` model on held-out dev sentences for several biases against "no entity".

The bias is subtracted from the score of O before decoding: it buys recall with precision.
"""

from corpora import held_out
from evaluate import MODELS, count, read_with

from heteronym.text.models.token_classifier import TokenClassifier

BIASES = (0.0, 0.5, 1.0, 1.5)


def main() -> None:
    model = TokenClassifier(MODELS / "accurate")
    sentences = [sentence for part in held_out().values() for sentence in part]
    print("| bias | P | R | F | person tokens covered |\n| --- | --- | --- | --- | --- |")
    for bias in BIASES:
        model.config["outside_bias"] = bias
        found = count(
            read_with(lambda texts: [[span[:3] for span in spans] for spans in model.tag(texts)], sentences)
        )
        print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |".format(bias, *found.scores(), found.coverage()))


if __name__ == "__main__":
    main()
