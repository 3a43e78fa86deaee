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

let sheets = 0;

/** While a page made for paper stands on the screen all of it is light, whatever was chosen. Answers what ends that. */
export function asPaper(): () => void {
  sheets += 1;
  choices.tell();
  return () => {
    sheets -= 1;
    choices.tell();
  };
}

/** What is drawn. */
export function shownAppearance(): "light" | "dark" {
  const chosen = sheets > 0 ? "light" : appearance();
  if (chosen !== "auto") return chosen;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
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
