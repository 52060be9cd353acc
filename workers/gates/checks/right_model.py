"""right_model: the engine loaded the model it was asked for."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed
from workers.gates.model_paths import same_file, served_path


class RightModel:
    """Catches a model that was swapped between the command line and the load.

    A configuration file (/etc/llama.cpp/config.ini), a preset or a router mode can make our own
    process serve other weights than those in `-m`. Without /props this cannot be seen.
    """

    name = "right_model"
    when = "launch"
    fatal = True
    kind = FailureKind.GATE
    advice = "Look for a config file or preset that names a model, and remove it for the sweep."

    def check(self, scene: Scene) -> Finding | None:
        """Compares /props model_path with the file that was asked for."""
        path = served_path(scene.props)
        if path is None or not scene.pid_owns_port:
            return None  # own_server has said what there is to say
        if same_file(path, scene.model):
            return passed(self, str(scene.model))
        return failed(self, f"asked for {scene.model}, the engine serves {path}")


GATE = RightModel()
