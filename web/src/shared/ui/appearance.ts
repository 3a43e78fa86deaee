import { signal } from "~/shared/store";

export type AppearanceChoice = "auto" | "light" | "dark";

const KEY = "appearance";
const choices = signal();

/** What the person chose; `auto` follows the system. */
export function appearance(): AppearanceChoice {
  const held = localStorage.getItem(KEY);
  return held === "light" || held === "dark" ? held : "auto";
}

export function chooseAppearance(choice: AppearanceChoice): void {
  if (choice === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  choices.tell();
}

export function onAppearance(listener: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const leave = choices.on(listener);
  system.addEventListener("change", listener);
  return () => {
    leave();
    system.removeEventListener("change", listener);
  };
}
