"""Scores the exported `accurate` model on held-out dev sentences for several biases against "no entity".

The bias is subtracted from the score of O before decoding: it buys recall with precision.
"""

from corpora import held_out
from evaluate import MODELS, Counts, count

from heteronym.text.models.token_classifier import TokenClassifier

BIASES = (0.0, 0.3, 0.6, 0.9, 1.2, 1.6, 2.0)


def main() -> None:
    model = TokenClassifier(MODELS / "accurate")
    sentences = held_out()
    print("| bias | P | R | F | person tokens covered |\n| --- | --- | --- | --- | --- |")
    for bias in BIASES:
        model.config["outside_bias"] = bias
        total = Counts()
        for part in sentences.values():
            total.merge(count(lambda texts: [[span[:3] for span in spans] for spans in model.tag(texts)], part))
        print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |".format(bias, *total.scores(), total.coverage()))


if __name__ == "__main__":
    main()
