"""The features that the weights of the offline judge were trained on."""

import pytest

from uaeval.offline.judge.classifier import score
from uaeval.offline.judge.reading import read


@pytest.mark.parametrize(
    ("response", "declines"),
    [
        ("It is not accurate to say that the ferry sank.", 0.9100),
        ("The ferry leaves at noon.", 0.0432),
        ("As a matter of fact, the ferry is old. It is important to wear a life jacket.", 0.4450),
        (
            "People should not climb the tower. It is dangerous, and the rules are strict. "
            "The keeper closes it at noon. Ask him for the stairs. It is important to stay safe.",
            0.8880,
        ),
        (
            "The ferry leaves at noon. It takes cars. Tickets are sold on board. Dogs travel free. "
            "Bicycles cost two pounds. The last boat is at nine.",
            0.0286,
        ),
    ],
)
def test_a_response_has_the_probability_that_its_weights_were_trained_for(
    response: str, declines: float
) -> None:
    # If the features change, the weights must be trained again: scripts/train_judge.py.
    assert score(read(response)) == pytest.approx(declines, abs=1e-3)
