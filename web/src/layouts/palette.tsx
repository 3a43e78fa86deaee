import { lazy, Suspense, useEffect } from "react";
import { storeOf } from "~/shared/store";

const PaletteModal = lazy(() => import("./palette-modal"));

const open = storeOf(false);

export const openPalette = () => open.set(true);

/** Ctrl or Cmd with K, or `/`, opens it. Listens from the first moment; the dialog is fetched when it is wanted. */
export function Palette() {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const combined = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const slash = event.key === "/" && !isTyping(event.target);
      if (!combined && !slash) return;
      event.preventDefault();
      openPalette();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  if (!open.use()) return null;
  return (
    <Suspense>
      <PaletteModal onClose={() => open.set(false)} />
    </Suspense>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
