"""Made-up data with the shape of public data sets, so that every benchmark runs from a clone.

    python -m benchmarks.generators adult-like --size 30162 --seed 1 -o adult.csv

Nobody in these files exists. docs/data.md says which set each generator imitates, and where the real one is.
"""
