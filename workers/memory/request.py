"""What is asked of an engine, as far as memory is concerned."""

from __future__ import annotations

from dataclasses import dataclass

from workers.contract.model_header import ModelHeader

# Speculation that needs earlier recurrent states of the target: `need_n_rs_seq` in llama.cpp
# common/common.h.
_KEEPS_STATES = frozenset({"mtp", "eagle3", "dflash", "dspark"})
_RESIDENT = frozenset({"none", "mlock", "mmap+mlock", "dio"})


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """One launch. Defaults are what an engine is started with when nothing is swept.

    Counts are tokens, layers or slots. `ngl` and `draft_ngl` count layers on devices, the
    output as one more; None is all of them. `split` has one positive share per device (any
    scale, like -ts) and is empty for a rig without GPUs; `split_mode` is "layer" or "tensor".
    `spec` is a spec type or a comma list of them, with or without "draft-". `n_max` is the
    *requested* draft length: recurrent states are reserved before an engine clamps it to the
    trained block. `draft_ctx` is for forks with --ctx-size-draft; mainline drafts over the
    whole context. `kv_tail_tokens` is BeeLlama's --kv-tail-tokens. `override_tensor` is what -ot
    takes, `load_mode` how weights are loaded; "" is the engine's own choice.
    """

    ctx: int
    kv_k: str = "f16"
    kv_v: str = "f16"
    n_seq: int = 1
    unified: bool = False
    n_ubatch: int = 512
    flash_attn: bool = True
    swa_full: bool = False
    kv_offload: bool = True
    kv_tail_tokens: int = 0
    spec: str = "none"
    n_max: int = 0
    drafter: ModelHeader | None = None
    draft_kv_k: str = "f16"
    draft_kv_v: str = "f16"
    draft_ctx: int | None = None
    draft_ngl: int | None = None
    ngl: int | None = None
    n_cpu_moe: int = 0
    override_tensor: str = ""
    load_mode: str = ""
    split: tuple[float, ...] = (1.0,)
    split_mode: str = "layer"

    @property
    def spec_types(self) -> frozenset[str]:
        """Spec types without "draft-"; empty for none."""
        names = (name.strip().removeprefix("draft-") for name in self.spec.split(","))
        return frozenset(name for name in names if name not in ("", "none"))

    @property
    def uses_own_nextn(self) -> bool:
        """The target's own next-token layers draft (draft-mtp without a drafter file)."""
        return "mtp" in self.spec_types and self.drafter is None

    @property
    def keeps_host_weights(self) -> bool:
        """Weights on the host are read or locked there; mapped ones can be paged out."""
        return self.load_mode in _RESIDENT

    @property
    def state_copies(self) -> int:
        """Recurrent states kept per sequence, where the architecture can roll back."""
        return 1 + (self.n_max if self.spec_types & _KEEPS_STATES else 0)
