"""The last layers go to the devices, the output as one more layer."""

from __future__ import annotations

from workers.memory.placement import Spread, place
from workers.memory.request import MemoryRequest


def test_everything_is_offloaded_unless_said_otherwise() -> None:
    spread = place(MemoryRequest(ctx=256), 4, None).spread([1, 1, 1, 1], output=10)
    assert spread == Spread(host=0, devices=(14,))


def test_the_output_counts_as_a_layer() -> None:
    # "offloaded 20/33 layers": 19 of 32 layers and the output.
    spread = place(MemoryRequest(ctx=256), 32, 20).spread([1] * 32, output=100)
    assert spread == Spread(host=13, devices=(119,))


def test_too_many_layers_are_all() -> None:
    assert place(MemoryRequest(ctx=256), 4, 99) == place(MemoryRequest(ctx=256), 4, None)


def test_without_devices_everything_stays_on_the_host() -> None:
    assert place(MemoryRequest(ctx=256, split=()), 2, None).spread([1, 1], 1) == Spread(3, ())
    assert place(MemoryRequest(ctx=256), 2, 0).spread([1, 1], 1) == Spread(3, (0,))


def test_shares_cut_the_layers_in_order() -> None:
    request = MemoryRequest(ctx=256, split=(3.0, 1.0))
    assert place(request, 7, None).device == (0, 0, 0, 0, 0, 0, 1, 1)


def test_tensor_split_cuts_every_layer() -> None:
    request = MemoryRequest(ctx=256, split=(1.0, 1.0), split_mode="tensor")
    assert place(request, 2, None).spread([10, 10], 20) == Spread(0, (20, 20))
