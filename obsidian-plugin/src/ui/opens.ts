/** Has a button open something: in a new tab with Ctrl/Cmd, by click or Enter, or with the middle button. */
export function opensBy(button: HTMLElement, open: (newTab: boolean) => void): void {
  button.addEventListener("click", (event) => open(event.ctrlKey || event.metaKey));
  button.addEventListener("auxclick", (event) => {
    if (event.button === 1) open(true);
  });
  button.addEventListener("keydown", (event) => {
    // With these held Enter is no click.
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open(true);
  });
}
