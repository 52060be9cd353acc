"""From a model reference, as a space writes it, to a file on this host and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from search_spaces.candidate import Value
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError
from workers.contract.model_header import ModelHeader
from workers.contract.reports import ModelReport
from workers.models.builtin import BUILTIN, builtin_path
from workers.models.errors import ModelError
from workers.models.folders import in_folders
from workers.models.hashing import content_hash, split_parts
from workers.models.hub import HUB, hub_path

_SCHEMES: Mapping[str, Callable[[str], Path]] = {
    BUILTIN: lambda reference: builtin_path(reference.removeprefix(BUILTIN)),
    HUB: hub_path,
}


def resolve(reference: str) -> Path:
    """The file that `reference` names: a path, `builtin:NAME` or `hf:OWNER/NAME/FILE`.

    A path that is not there is looked for where this host keeps models, see `folders`.
    May download or make it on first use. Raises ModelError.
    """
    for scheme, find in _SCHEMES.items():
        if reference.startswith(scheme):
            return find(reference)
    return _existing(Path(reference).expanduser())


def report(reference: str) -> ModelReport:
    """What is known about a model on this host; its `problem` says why it cannot be used."""
    try:
        from workers.gguf_files.header import read_header

        path = resolve(reference)
        header = read_header(path)
        return ModelReport(
            reference=reference,
            path=str(path),
            size=sum(part.stat().st_size for part in split_parts(path)),
            sha256=content_hash(path),
            header=facts(header),
            gguf=header,
        )
    except OrchestrateError as error:
        return ModelReport(reference=reference, problem=str(error))
    except OSError as error:
        return ModelReport(
            reference=reference,
            problem=f"{reference} cannot be read: {error.strerror or error}.",
        )


def _existing(path: Path) -> Path:
    if path.is_file():
        return path.absolute()
    if path.is_dir():
        raise ModelError(f"{path} is a directory.", "Name the .gguf file in it.")
    if (kept := in_folders(path)) is not None:
        return kept.absolute()
    neighbours = _neighbours(path.parent)
    hint = did_you_mean(path.name, neighbours) if neighbours else ""
    raise ModelError(
        f"There is no model file {path}.",
        hint or "Check the path; builtin:NAME and hf:OWNER/NAME/FILE are the other forms.",
    )


def _neighbours(directory: Path, most: int = 20) -> list[str]:
    """Some of the models beside a missing one, for a hint."""
    try:
        return sorted(path.name for path in directory.glob("*.gguf"))[:most]
    except OSError:
        return []


def facts(header: ModelHeader) -> dict[str, Value]:
    """The header as flat values, for people."""
    facts: dict[str, Value] = {
        "architecture": header.architecture,
        "name": header.name,
        "quant": header.quant,
        "n_layer": header.n_layer,
        "n_embd": header.n_embd,
        "n_head": header.n_head,
        "n_head_kv": max(header.n_head_kv, default=0),
        "head_dim_k": header.head_dim_k,
        "head_dim_v": header.head_dim_v,
        "n_ctx_train": header.n_ctx_train,
        "n_vocab": header.n_vocab,
        "vocab_hash": header.vocab_hash,
        "tokenizer_model": header.tokenizer_model,
        "weights_bytes": header.weights.total,
        "tensor_count": header.tensor_count,
        "split_count": header.split_count,
    }
    if header.draft is not None:
        facts["block_size"] = header.draft.block_size
        facts["target_layers"] = ",".join(map(str, header.draft.target_layers))
        facts["is_dflash2"] = header.is_dflash2
    return facts
