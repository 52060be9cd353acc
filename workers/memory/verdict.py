"""Does it fit? A certain no saves a launch; a doubtful one is said to be doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workers.memory.prediction import Prediction
from workers.memory.terms import MIB, Terms

# Peak while generating above "after load", in public logs 200 to 300 MiB.
DEFAULT_HEADROOM_MIB = 256.0

# What to change when this term is the largest that can be changed.
_ADVICE = {
    "weights": "Take a smaller quantization or offload fewer layers.",
    "kv": "Shorten the context or take a smaller KV type.",
    "swa": "Use fewer slots or a smaller -ub.",
    "recurrent": "Draft fewer tokens or use fewer slots.",
    "draft_weights": "Take a smaller quantization of the drafter.",
    "draft_kv": "Shorten the context or quantize the draft KV.",
}


@dataclass(frozen=True, slots=True)
class Fits:
    """Nothing speaks against a launch; `spare_mib` is left at the tightest place."""

    spare_mib: float


@dataclass(frozen=True, slots=True)
class TooBig:
    """More is needed than there is.

    `device` is its index, None for the host's memory. `certain`: what is certainly needed
    alone exceeds it, so a launch can only fail (or, on Windows, spill into system memory).
    Otherwise estimate and headroom do, and a launch would tell. `sentence` is for a person:
    the shortage, the terms, what to change.
    """

    by_mib: float
    device: int | None
    certain: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class _Place:
    """One place with its capacity and what is needed there, in MiB."""

    device: int | None
    terms: Terms
    uncertain: frozenset[str]
    capacity: float
    bound: float
    estimate: float


def fits(
    prediction: Prediction,
    capacity_mib: float | Sequence[float],
    headroom_mib: float = DEFAULT_HEADROOM_MIB,
    host_capacity_mib: float | None = None,
) -> Fits | TooBig:
    """Compare a prediction with what each device offers (MiB; one figure serves all).

    A shortage that is certain is reported before one that is only likely. The host's memory
    is looked at only if its capacity is given; weights there are mapped files, which can be
    paged out, so they make no certain shortage unless they are read into memory or locked there.
    """
    places = _places(prediction, capacity_mib, host_capacity_mib)
    if not places:
        raise ValueError("a rig without devices needs host_capacity_mib")
    short = max(places, key=lambda place: place.bound - place.capacity)
    if short.bound > short.capacity:
        return _too_big(short, short.bound - short.capacity, certain=True)
    tight = max(places, key=lambda place: place.estimate - place.capacity)
    excess = tight.estimate + headroom_mib - tight.capacity
    if excess > 0:
        return _too_big(tight, excess, certain=False)
    return Fits(spare_mib=-excess)


def _places(
    prediction: Prediction, capacity_mib: float | Sequence[float], host_mib: float | None
) -> list[_Place]:
    n_devices = len(prediction.devices)
    if isinstance(capacity_mib, int | float):
        capacity_mib = [capacity_mib] * n_devices
    capacities = list(capacity_mib)
    if len(capacities) != n_devices:
        raise ValueError(f"{len(capacities)} capacities for {n_devices} devices")
    places = [
        _Place(
            index,
            prediction.devices[index],
            prediction.uncertain,
            capacity,
            prediction.lower_bound(index) / MIB,
            prediction.estimate(index) / MIB,
        )
        for index, capacity in enumerate(capacities)
    ]
    if host_mib is not None:
        host = prediction.host
        uncertain = prediction.uncertain
        if not prediction.resident:
            uncertain |= {"weights", "draft_weights"}
        bound = host.total(without=uncertain) / MIB
        places.append(_Place(None, host, uncertain, host_mib, bound, host.total() / MIB))
    return places


def _too_big(place: _Place, by_mib: float, certain: bool) -> TooBig:
    where = "the host" if place.device is None else f"device {place.device}"
    needs = "needs" if certain else "would probably need, with headroom,"
    largest = max(_ADVICE, key=lambda term: place.terms.get(term) or 0)
    terms = place.terms.describe(without=place.uncertain if certain else frozenset())
    sentence = (
        f"It {needs} {by_mib:.0f} MiB more than the {place.capacity:.0f} MiB of {where} "
        f"({terms}). {_ADVICE[largest]}"
    )
    return TooBig(by_mib, place.device, certain, sentence)
