/**
 * The ref of what may go with the focus in it, by its own doing: the row beside has the focus then, the one after it
 * first, or else the heading of the section or of the page.
 */
export function handOn(held: HTMLElement | null) {
  return () => {
    if (!held || !hasFocus(held)) return;
    const row = held.closest("li, tr");
    const near = [
      row?.nextElementSibling,
      row?.previousElementSibling,
      held.closest("section")?.querySelector("h2"),
      document.querySelector("h1"),
    ];
    // Those beside may go with it: only then is it known what is left.
    queueMicrotask(() => land(near.find((one) => one?.isConnected)));
  };
}

/** Gives the focus, unless it is wanted elsewhere, to what takes none by itself. Nothing moves. */
export function land(on: Element | null | undefined): void {
  if (document.activeElement !== document.body || !(on instanceof HTMLElement)) return;
  if (on.tabIndex < 0) on.tabIndex = -1;
  on.focus({ preventScroll: true });
}

/**
 * As a button is pressed that shows more of the rows before it: the first that comes has the focus, if the button goes
 * with the last of them.
 */
export function goOnBelow(button: HTMLElement): void {
  const before = button.previousElementSibling;
  const last = before?.matches("ul, ol") ? before.lastElementChild : before;
  setTimeout(() => land(last?.nextElementSibling));
}

/** A button that is off meanwhile has lost it already. */
function hasFocus(held: HTMLElement): boolean {
  const active = document.activeElement;
  const isOff = held.matches(":disabled") || held.querySelector(":disabled") !== null;
  return held.contains(active) || (active === document.body && isOff);
}
