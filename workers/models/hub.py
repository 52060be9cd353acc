"""`hf:OWNER/NAME/FILE`: a file of a Hugging Face repository, through its own client and cache."""

from __future__ import annotations

from pathlib import Path

from workers.models.errors import ModelError
from workers.models.hashing import split_parts

HUB = "hf:"


def hub_path(reference: str) -> Path:
    """The file of `hf:OWNER/NAME/FILE`, downloaded on first use; the first of a split model.

    HF_HOME, HF_TOKEN and HF_HUB_OFFLINE work as with every program that uses the client; the
    token is never part of a message. Raises ModelError.
    """
    owner, _, rest = reference.removeprefix(HUB).partition("/")
    name, _, file = rest.partition("/")
    if not (owner and name and file):
        raise ModelError(
            f"{reference!r} names no file of a repository.",
            "Write hf:OWNER/NAME/FILE, for example hf:someone/some-model-GGUF/model-Q4_K_M.gguf.",
        )
    parts = [_download(f"{owner}/{name}", str(part)) for part in split_parts(Path(file))]
    return parts[0]


def _download(repository: str, file: str) -> Path:
    from huggingface_hub import errors, hf_hub_download
    from huggingface_hub.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # it tells of each retry; ours says the same once
    # The messages of the client may quote a request with its headers, so ours are our own.
    try:
        return Path(str(hf_hub_download(repository, file)))
    except errors.GatedRepoError:
        problem = f"{repository} is gated on Hugging Face."
        hint = "Accept its terms there, and set HF_TOKEN or run: hf auth login"
    except errors.RepositoryNotFoundError:
        problem = f"Hugging Face knows no repository {repository} (or it is private)."
        hint = "Check the spelling; for a private one set HF_TOKEN or run: hf auth login"
    except errors.RemoteEntryNotFoundError:
        problem = f"The repository {repository} has no file {file}."
        hint = "Look at its list of files: upper and lower case count."
    except errors.HFValidationError:
        problem = f"{repository!r} is no name of a Hugging Face repository."
        hint = "Write hf:OWNER/NAME/FILE."
    except (errors.LocalEntryNotFoundError, ConnectionError, errors.HTTPError) as error:  # type: ignore[attr-defined]
        problem = f"{file} of {repository} is not on this host and cannot be fetched"
        problem += f" ({type(error).__name__})."
        hint = "Go online once, or download the file elsewhere and name its path."
    except OSError as error:
        problem = f"{file} of {repository} cannot be stored: {error.strerror or 'disk error'}."
        hint = "Free some space, or name another directory with HF_HOME."
    raise ModelError(problem, hint)
