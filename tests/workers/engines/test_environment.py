"""An engine's environment holds nothing that could change a number."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.workers.engines.rigs import CPU, GPU
from workers.engines.environment import config_warnings, scrubbed

HOME = Path("/tmp/empty")
SHELL = {
    "PATH": "/bin",
    "HOME": "/home/me",
    "LD_LIBRARY_PATH": "/opt/lib",
    "LLAMA_ARG_CTX_SIZE": "512",
    "GGML_CUDA_FORCE_MMQ": "1",
    "OMP_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "3",
    "CUDA_DEVICE_ORDER": "FASTEST_FIRST",
    "XDG_CONFIG_HOME": "/home/me/.config",
    "HTTP_PROXY": "http://proxy",
    "HF_TOKEN": "secret",
}


def test_what_is_needed_to_run_is_kept() -> None:
    kept = scrubbed(CPU, HOME, SHELL)
    assert {name: kept[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH")} == {
        "PATH": "/bin",
        "HOME": "/home/me",
        "LD_LIBRARY_PATH": "/opt/lib",
    }


def test_settings_secrets_and_proxies_are_dropped() -> None:
    assert set(scrubbed(CPU, HOME, SHELL)) == {
        "PATH",
        "HOME",
        "LD_LIBRARY_PATH",
        "XDG_CONFIG_HOME",
        "CUDA_DEVICE_ORDER",
        "CUDA_VISIBLE_DEVICES",
    }


def test_the_configuration_directory_is_ours() -> None:
    assert scrubbed(CPU, HOME, SHELL)["XDG_CONFIG_HOME"] == str(HOME)


def test_cards_are_named_by_uuid_in_pci_order() -> None:
    seen = scrubbed(GPU, HOME, SHELL)
    assert seen["CUDA_VISIBLE_DEVICES"] == "GPU-aaaa,GPU-bbbb"
    assert seen["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_a_cpu_rig_has_no_cards() -> None:
    assert scrubbed(CPU, HOME, SHELL)["CUDA_VISIBLE_DEVICES"] == ""


def test_a_probe_sees_all_cards() -> None:
    assert "CUDA_VISIBLE_DEVICES" not in scrubbed(None, HOME, SHELL)


@given(st.dictionaries(st.from_regex(r"(LLAMA|GGML)_[A-Z_]{1,20}", fullmatch=True), st.text()))
def test_no_setting_of_llama_cpp_ever_gets_through(settings: dict[str, str]) -> None:
    assert not set(scrubbed(GPU, HOME, settings)) & set(settings)


def test_a_system_wide_file_is_warned_of(tmp_path: Path) -> None:
    config = tmp_path / "config.ini"
    assert config_warnings(config) == ()
    config.write_text("[*]\n")
    (warning,) = config_warnings(config)
    assert str(config) in warning
