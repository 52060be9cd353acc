"""The dashboard, assembled: a frame around the views, and the few callbacks that move it."""

from __future__ import annotations

import importlib
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

from dashboards import urls
from dashboards.controls import CONTROL
from dashboards.library import Library
from dashboards.page import Page
from dashboards.parts import FIGURE, link, nothing
from dashboards.security import policy, protect
from dashboards.urls import State
from workers.contract.errors import OrchestrateError

if TYPE_CHECKING:
    from dash import Dash
    from dash.development.base_component import Component

TICK_MS = 2_000  # how often an open page asks whether the database has changed
_NO_SWEEP = "No sweep was started yet. This page fills when one is."
_IN_NAVIGATION = tuple(view for view in urls.VIEWS if view != "candidate")


class View(Protocol):
    """One file in dashboards/views: pure functions of a page."""

    TITLE: str

    def controls(self, page: Page) -> list[Component]:
        """The form above the view."""
        ...

    def body(self, page: Page) -> list[Component]:
        """Everything below it."""
        ...


def view_of(name: str) -> View:
    """The module of a view."""
    return importlib.import_module(f"dashboards.views.{name}")


def make_app(library: Library, token: str | None = None) -> Dash:
    """The app over an open library. With a `token`, only who has it is answered."""
    # Here, and not by whichever thread needs them first: two that import pandas at once would
    # each see half of it.
    import pandas  # noqa: F401
    import plotly.graph_objects  # noqa: F401
    from dash import Dash

    app = Dash(
        "orchestrate",
        assets_folder=str(resources.files("dashboards") / "assets"),
        assets_ignore=r"page\.js",
        title="orchestrate",
        update_title="",  # the tab keeps its name while a page asks
        serve_locally=True,
        suppress_callback_exceptions=True,
        meta_tags=[{"name": "viewport", "content": "width=device-width, initial-scale=1"}],
    )
    app.layout = _frame()
    _add_callbacks(app, library)
    protect(app.server, policy(app.csp_hashes()), token)
    return app


def _frame() -> Component:
    from dash import dcc, html

    return html.Div(
        [
            dcc.Location(id="url", refresh="callback-nav"),
            dcc.Interval(id="tick", interval=TICK_MS),
            dcc.Store(id="shown"),
            html.A("Skip to content", href="#body", className="skip"),
            html.Header(
                [html.Span("orchestrate", className="brand"), html.Nav(id="nav")],
            ),
            html.Main([html.Div(id="controls"), html.Div(id="body", tabIndex=-1)]),
        ]
    )


def render(state: State, library: Library) -> tuple[list[Component], list[Component]]:
    """Controls and body of a page. What cannot be read is said in the page, not raised."""
    view, page = view_of(state.view), Page(state, library)
    try:
        if not page.chosen:
            return [], [nothing(_NO_SWEEP)]
        return view.controls(page), view.body(page)
    except OrchestrateError as error:
        return [], [nothing(str(error))]


def warm(library: Library) -> None:
    """Renders the usual front once, so that the first reader waits for nothing."""
    render(State("front"), library)


def _navigation(state: State) -> list[Component]:
    return [
        link(
            view_of(name).TITLE,
            state.to(name),
            className="here" if name == state.view else "",
        )
        for name in _IN_NAVIGATION
    ]


def _add_callbacks(app: Dash, library: Library) -> None:
    from dash import ALL, Input, Output, ctx, no_update
    from dash import State as Now
    from dash.exceptions import PreventUpdate

    @app.callback(
        Output("nav", "children"),
        Output("controls", "children"),
        Output("body", "children"),
        Output("shown", "data"),
        Input("url", "pathname"),
        Input("url", "search"),
        Input("tick", "n_intervals"),
        Now("shown", "data"),
        Now({"type": CONTROL, "name": ALL}, "value"),
        Now({"type": CONTROL, "name": ALL}, "id"),
    )
    def show(
        path: str | None, search: str, _tick: int, shown: Any, values: list[Any], ids: list[Any]
    ) -> tuple[Any, ...]:
        """The page of the URL, when the URL or the database has changed."""
        if path is None:  # the browser has not told its address yet
            raise PreventUpdate
        state, mark = urls.read(path, search), _mark(library)
        if shown and shown["mark"] == mark and shown["url"] == state.url:
            raise PreventUpdate
        controls: Any
        controls, body = render(state, library)
        same_view = shown and shown["view"] == state.view and shown["sweep"] == list(state.sweep)
        if same_view and steered(state, values, ids) == state:
            controls = no_update  # a list that is open stays open, and what has focus keeps it
        now = {"url": state.url, "mark": mark, "view": state.view, "sweep": list(state.sweep)}
        return _navigation(state), controls, body, now

    @app.callback(
        Output("url", "search"),
        Input({"type": CONTROL, "name": ALL}, "value"),
        Now({"type": CONTROL, "name": ALL}, "id"),
        Now("url", "pathname"),
        Now("url", "search"),
        prevent_initial_call=True,
    )
    def steer(values: list[Any], ids: list[Any], path: str, search: str) -> str:
        """The URL of what the controls say."""
        before = urls.read(path, search)
        after = steered(before, values, ids)
        if after == before:
            raise PreventUpdate
        return after.search

    @app.callback(
        Output("url", "href"),
        Input({"type": FIGURE, "name": ALL}, "clickData"),
        Now("url", "pathname"),
        Now("url", "search"),
        prevent_initial_call=True,
    )
    def open_candidate(clicks: list[Any], path: str, search: str) -> str:
        """The page of the candidate whose point was clicked."""
        clicked = ctx.triggered[0]["value"] if ctx.triggered else None
        trial = (clicked or {}).get("points", [{}])[0].get("customdata")
        if not isinstance(trial, int):
            raise PreventUpdate
        return urls.read(path, search).to("candidate", trial=str(trial)).url


def steered(state: State, values: list[Any], ids: list[Any]) -> State:
    """The state with every control's value put into it."""
    for place, value in zip(ids, values, strict=True):
        state = state.having(place["name"], value)
    return state


def _mark(library: Library) -> str:
    try:
        return library.mark()
    except OrchestrateError as error:
        return str(error)
