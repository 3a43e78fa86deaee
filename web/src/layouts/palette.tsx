import { lazy, Suspense, useEffect, useState } from "react";

const PaletteModal = lazy(() => import("./palette-modal"));

/** Ctrl or Cmd with K, or `/`, opens it. Listens from the first moment; the dialog is fetched when it is wanted. */
export function Palette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const combined = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const slash = event.key === "/" && !isTyping(event.target);
      if (!combined && !slash) return;
      event.preventDefault();
      setOpen(true);
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  if (!open) return null;
  return (
    <Suspense>
      <PaletteModal onClose={() => setOpen(false)} />
    </Suspense>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
