"""BeeLlama 0.4: mainline's flags, an adaptive draft controller (on by default!), kvarn types.

It still takes the names of the TurboQuant types it once had, and measures kvarn instead; so
those are refused here, where a build's log would be the only other witness.
"""

from __future__ import annotations

from workers.dialects.dialect import Table
from workers.dialects.help_text import Help
from workers.dialects.mainline import MAINLINE, listed_kinds


def _recognises(help_: Help) -> bool:
    return MAINLINE.recognises(help_) and "--spec-dm-controller" in help_


BEE_04 = Table(
    name="bee_04",
    recognises=_recognises,
    kinds_in=listed_kinds,
    combines=True,
    redirects=("turbo2", "turbo3", "turbo4", "turbo2_tcq", "turbo3_tcq", "turbo4_tcq"),
)
