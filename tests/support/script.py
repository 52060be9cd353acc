"""What a scripted server is and what is wrong with it; JSON, so that a binary can carry it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from tests.support.scripted_model import Pace


class Fault(StrEnum):
    """One thing that is wrong with a server. Several may be planted at once."""

    WRONG_MODEL = "wrong_model"  # /props names another file
    DRAFTER_IGNORED = "drafter_ignored"  # the speculative context fails, the server goes on
    STRAY_DRAFTS = "stray_drafts"  # drafts although no speculation was asked for
    REDIRECTED_KV = "redirected_kv"  # allocates f16 whatever is asked
    SPLIT_CONTEXT = "split_context"  # four slots share the context
    WARM_CACHE = "warm_cache"  # a repeated prompt comes from a cache
    REMEMBERS = "remembers"  # drafts of a repeated prompt are all right
    CPU_ATTENTION = "cpu_attention"  # warns that attention runs on the CPU
    NO_GPU = "no_gpu"  # warns that there is no usable GPU
    DOWNGRADED = "downgraded"  # retries without pipeline parallelism
    EMPTY_TEXT = "empty_text"
    ONE_TOKEN = "one_token"  # the same word for ever
    LOOPS = "loops"  # a sentence for ever
    NAN_TIMINGS = "nan_timings"
    OUT_OF_MEMORY = "out_of_memory"  # exits while it loads
    LOADS_FOR_EVER = "loads_for_ever"  # /health stays at 503
    STUCK = "stuck"  # a completion is never answered
    CRASHES = "crashes"  # a completion ends the process as a signal would (rc 134)
    NO_TIMINGS = "no_timings"  # completions without counts and times
    NO_SLOTS = "no_slots"  # /slots is turned off (501)
    NO_METRICS = "no_metrics"  # /metrics is turned off (501), whatever is asked
    BREAKS_OFF = "breaks_off"  # a completion's connection is closed, the server goes on
    REFUSES = "refuses"  # a completion is answered with an error: the prompt is too long
    CUTS = "cuts"  # reads half of a prompt and does not say so
    ENDS_EARLY = "ends_early"  # generates half of what is asked
    UNHELPFUL = "unhelpful"  # --help prints nothing and fails


KV_TYPES = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1")
SPEC_TYPES = ("none", "draft-simple", "draft-dflash", "ngram-simple", "ngram-mod")


@dataclass(frozen=True)
class Script:
    """A server: its build, its devices (as --list-devices prints them), its drafter, its faults.

    `wording` is mainline or legacy; `stuck_s` is how long a stuck answer keeps its connection;
    `good` completions are answered before a fault of completions (crashes, stuck, breaks off,
    refuses) shows, and so are prompts of up to `shallow` tokens; cuts and ends early show beyond
    those, too. `ends_after` is the length of an answer that may end by itself, in tokens.
    Above `fits_ctx` tokens of context a load runs out of memory, above `sound_ctx` a load with a
    drafter dies of an index out of range, as some builds do.
    `chats` are answers to chats, each with a text that a request must hold.
    """

    faults: tuple[Fault, ...] = ()
    wording: str = "mainline"
    version: str = "version: 0.6.0-dev (build 11434, commit scripted)"
    kv_types: tuple[str, ...] = KV_TYPES
    spec_types: tuple[str, ...] = SPEC_TYPES
    devices: tuple[str, ...] = ()
    ends_after: int | None = None
    block_size: int = 8
    default_n_max: int = 3
    stuck_s: float = 600.0
    good: int = 0
    shallow: int = 0
    fits_ctx: int | None = None
    sound_ctx: int | None = None
    chats: tuple[tuple[str, str], ...] = ()
    pace: Pace = field(default_factory=Pace)

    @property
    def drafter_flag(self) -> str:
        """The first name of the flag that names a drafter."""
        return "-md" if self.wording == "legacy" else "--spec-draft-model"

    @property
    def n_max_flag(self) -> str:
        """The first name of the flag for the longest draft."""
        return "--draft-max" if self.wording == "legacy" else "--spec-draft-n-max"

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Script:
        """The inverse of `to_json`."""
        values: dict[str, Any] = json.loads(text)
        values["faults"] = tuple(Fault(fault) for fault in values["faults"])
        for name in ("kv_types", "spec_types", "devices"):
            values[name] = tuple(values[name])
        values["chats"] = tuple((asked, said) for asked, said in values["chats"])
        return cls(**{**values, "pace": Pace(**values["pace"])})
