"""Hosts of a cluster have names of their own, and cards and cores are counted once."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.sweeping.leases import need_of
from orchestrator.sweeping.pools.base import sharing
from orchestrator.sweeping.pools.naming import Found, Node, as_fleet, named
from search_spaces.metrics import Facet
from tests.support.hosts import make_rig
from workers.contract.reports import HostReport, RigKind, RigReport

CPU = make_rig("cpu", RigKind.CPU)


def found(host: str, machine: str, *rigs: RigReport) -> Found:
    """What a host that calls itself `tower` answered."""
    return Found(host, machine, HostReport("tower", rigs))


def test_equal_names_are_numbered_in_the_order_of_their_addresses() -> None:
    nodes = [Node("c", "tower", "10.0.0.2", 1), Node("a", "lab", "10.0.0.9", 1)]
    nodes += [Node("b", "tower", "10.0.0.1", 7)]
    assert {name: node.id for name, node in named(nodes).items()} == {
        "lab": "a",
        "tower": "b",
        "tower-2": "c",
    }


def test_a_name_is_one_that_a_person_can_type() -> None:
    assert list(named([Node("a", "Ada's box!", "10.0.0.1", 1)])) == ["Ada-s-box"]


def test_rigs_are_named_after_their_hosts() -> None:
    one, two = as_fleet([found("one", "m1", make_rig("a")), found("two", "m2", make_rig("b"))])
    assert [rig.name for rig in (*one.rigs, *two.rigs)] == ["one.a", "two.b"]
    assert {rig.host for rig in two.rigs} == {"two"}
    assert not sharing({rig.name: rig for rig in (*one.rigs, *two.rigs)})


def test_two_hosts_on_one_machine_share_its_cores() -> None:
    one, two = as_fleet([found("one", "m1", CPU), found("two", "m1", CPU)])
    rigs = {rig.name: rig for rig in (*one.rigs, *two.rigs)}
    assert sharing(rigs) == {"one.cpu", "two.cpu"}
    first, second = (need_of(rig, [Facet.THROUGHPUT]) for rig in rigs.values())
    assert first.conflicts(second)


def test_a_card_that_two_hosts_report_is_the_first_ones() -> None:
    card = make_rig("a")
    one, two = as_fleet([found("one", "m1", card), found("two", "m1", replace(card, name="x"))])
    assert [rig.name for rig in one.rigs] == ["one.a"]
    assert two.rigs == ()


def test_warnings_say_whose_they_are() -> None:
    report = HostReport("tower", (CPU,), warnings=("its disk is slow",))
    (host,) = as_fleet([Found("lab", "m", report)])
    assert host.warnings == ("lab: its disk is slow",)
