"""The child that requantises one GGUF file with llama.cpp's quantizer."""

from __future__ import annotations

from collections.abc import Callable

from workers.models.child import Message, serve


def answer(request: Message, say: Callable[[Message], None]) -> None:
    """Request: source, target (paths), ftype (name of LLAMA_FTYPE_MOSTLY_*), threads.

    Exits with the quantizer's code where it fails; the reason is in the log.
    """
    import ctypes

    import llama_cpp

    llama_cpp.llama_log_set(llama_cpp.llama_log_callback(), None)  # libllama's own: to stderr
    llama_cpp.llama_backend_init()
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype = getattr(llama_cpp, f"LLAMA_FTYPE_MOSTLY_{request['ftype']}")
    params.nthread = int(request["threads"])
    params.allow_requantize = True
    code = llama_cpp.llama_model_quantize(
        str(request["source"]).encode(), str(request["target"]).encode(), ctypes.byref(params)
    )
    if code:
        raise SystemExit(int(code))


if __name__ == "__main__":
    serve(answer)
