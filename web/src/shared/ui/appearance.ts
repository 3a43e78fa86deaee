export type AppearanceChoice = "auto" | "light" | "dark";

const KEY = "appearance";
const listeners = new Set<() => void>();

/** What the person chose; `auto` follows the system. */
export function appearance(): AppearanceChoice {
  const held = localStorage.getItem(KEY);
  return held === "light" || held === "dark" ? held : "auto";
}

export function chooseAppearance(choice: AppearanceChoice): void {
  if (choice === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
}

export function onAppearance(listener: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  listeners.add(listener);
  system.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", listener);
  };
}
