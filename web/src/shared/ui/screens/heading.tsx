import { type ReactNode, useEffect, useRef } from "react";

let first = true;
let leftFrom: Element | null = null;

/** Called when a change of page begins. */
export function leavePage(): void {
  leftFrom = document.activeElement;
}

/** The page may come late: who has begun to type elsewhere meanwhile keeps the focus. */
function isTypingElsewhere(): boolean {
  const now = document.activeElement;
  return now !== leftFrom && now !== null && now.matches("input, textarea, select");
}

/** The page's one h1. It takes the focus after a change of page, so that it is read out; not on the first load. */
export function Heading({ children, focusKey }: { children: ReactNode; focusKey?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new page
  useEffect(() => {
    if (first) first = false;
    else if (!isTypingElsewhere()) heading.current?.focus({ preventScroll: false });
  }, [focusKey]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
