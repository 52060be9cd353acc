"use strict";
// Draws every figure of the page, in the colours of the reader's theme.
(function () {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const figures = Array.from(document.querySelectorAll(".figure"));
  const config = { displayModeBar: false, responsive: true, doubleClick: "reset" };

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function themed() {
    const ink = colour("--ink"), soft = colour("--soft"), grid = colour("--grid");
    return {
      "font.color": ink,
      "xaxis.gridcolor": grid, "yaxis.gridcolor": grid,
      "xaxis.tickfont.color": soft, "yaxis.tickfont.color": soft,
      "xaxis.title.font.color": soft, "yaxis.title.font.color": soft,
      "hoverlabel.bgcolor": colour("--card"), "hoverlabel.bordercolor": soft,
      "hoverlabel.font.color": ink,
      // A finger that scrolls past a figure must not zoom it.
      dragmode: touch ? false : "zoom",
    };
  }

  function paint(node) {
    Plotly.relayout(node, themed());
    const cells = node.data.flatMap((trace, i) => (trace.type === "heatmap" ? [i] : []));
    if (cells.length) Plotly.restyle(node, { "textfont.color": colour("--ink") }, cells);
  }

  function draw(node) {
    const figure = JSON.parse(document.getElementById(node.dataset.figure).textContent);
    for (const trace of figure.data) {
      if (trace.type === "heatmap") trace.textfont = { color: colour("--ink") };
    }
    Plotly.newPlot(node, figure.data, figure.layout, config).then(() => paint(node));
  }

  figures.forEach(draw);
  dark.addEventListener("change", () => figures.forEach(paint));
})();
