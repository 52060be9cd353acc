"use strict";
// Buttons with data-copy="ID" put the text of that element on the clipboard.
(function () {
  function byHand(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("aria-hidden", "true");
    document.body.appendChild(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("the browser refused"));
  }

  // Browsers offer the clipboard to pages of this machine and of https only.
  function copy(text) {
    return navigator.clipboard ? navigator.clipboard.writeText(text).catch(() => byHand(text)) : byHand(text);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    const say = (text) => {
      button.textContent = text;
      setTimeout(() => { button.textContent = label; }, 2000);
    };
    copy(source.textContent).then(() => say("Copied"), () => {
      getSelection().selectAllChildren(source);
      say("Selected: press Ctrl+C");
    });
  });
})();
