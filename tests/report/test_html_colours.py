"""The colours of the charts, as people with and without colour blindness see them."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import uaeval.report.html.page

STYLE = Path(uaeval.report.html.page.__file__).with_name("assets") / "page.css"
SIGHT = {
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deuteranopia": [
        [0.3673, 0.8606, -0.2280],
        [0.2801, 0.6725, 0.0474],
        [-0.0118, 0.0429, 0.9690],
    ],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def _linear(colour: str) -> NDArray[np.float64]:
    value = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return CIE L*a*b* of linear RGB."""
    ratio = TO_XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    low, high = sorted(float(TO_XYZ[1] @ _linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _schemes() -> list[tuple[str, list[str]]]:
    """Return the paper and the series colours: of light, of dark, and of print."""
    style = STYLE.read_text(encoding="utf-8")
    papers = [6 * "f", *re.findall(r"--paper: #(\w{6})", style)[1:], 6 * "f"]
    series = zip(
        *(re.findall(rf"--c{number}: (#\w{{6}})", style) for number in range(6)), strict=True
    )
    return [(f"#{paper}", list(colours)) for paper, colours in zip(papers, series, strict=True)]


@pytest.mark.parametrize(("paper", "colours"), _schemes(), ids=["light", "dark", "print"])
def test_series_colours_differ_for_every_kind_of_sight_and_contrast_with_the_page(
    paper: str, colours: list[str]
) -> None:
    assert min(_contrast(colour, paper) for colour in colours) >= 3
    for sight, matrix in SIGHT.items():
        seen = [_lab(np.array(matrix) @ _linear(colour)) for colour in colours]
        assert min(dist(*pair) for pair in combinations(seen, 2)) > 18, sight
