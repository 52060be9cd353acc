"""own_server: the numbers come from the engine we started."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed
from workers.gates.model_paths import same_file, served_path


class OwnServer:
    """Catches the server of somebody else.

    Between choosing a free port and binding it another process can take it: a second sweep, a
    chat server that restarted. It answers /health, so everything seems well, and every number is
    about another model.
    """

    name = "own_server"
    when = "launch"
    fatal = True
    kind = FailureKind.NETWORK_PORT
    advice = "Another server answered on the engine's port; it is tried again on another one."

    def check(self, scene: Scene) -> Finding | None:
        """Who listens decides; where the system does not tell, what is served."""
        if scene.pid_owns_port is True:
            return passed(self, "the engine listens on its port")
        if scene.pid_owns_port is False:
            return failed(self, "another process listens on the engine's port")
        path = served_path(scene.props)
        if path is None:
            return flagged(self, "neither the system nor /props tells whose server this is")
        if same_file(path, scene.model):
            return passed(self, "the server serves our model")
        return failed(self, f"the server on the engine's port serves {path}")


GATE = OwnServer()
