// Single keys. They can be switched off, and never act while one is typing or on a modified key.

const STORED = "uaeval-review-keys";

/** Call what `actions()` holds under a key that is pressed; Escape leaves a field. */
export function listen(box, actions) {
  box.checked = localStorage.getItem(STORED) !== "off";
  box.addEventListener("change", () => localStorage.setItem(STORED, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const field = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest("button, input")) return;
    const action = box.checked && actions()[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
