import { CONSTANTS } from "~/shared/constants";

/** The little that is used of Turnstile's script. */
type Widget = {
  render: (place: HTMLElement, options: Options) => string;
  remove: (id: string) => void;
};
type Options = {
  sitekey: string;
  appearance: "interaction-only";
  language: string;
  callback: (token: string) => void;
  "error-callback": () => boolean;
  "timeout-callback": () => void;
  "unsupported-callback": () => void;
  "before-interactive-callback": () => void;
};

declare global {
  interface Window {
    turnstile?: Widget;
  }
}

/** How long a widget that asks nobody anything may take: its sums are done in a few seconds on a slow phone. */
const SILENCE_MS = 30_000;

/** The token of one form. The widget shows itself only to whom it wants to ask something. Throws when it hands out none. */
export async function tokenOf(script: string, siteKey: string): Promise<string> {
  if (!window.turnstile) await load(script);
  const widget = window.turnstile;
  if (!widget) throw new Error("The bot check could not be loaded.");
  const place = document.body.appendChild(document.createElement("div"));
  Object.assign(place.style, {
    position: "fixed",
    insetInline: "0",
    bottom: "16px",
    width: "fit-content",
    marginInline: "auto",
    zIndex: "1000",
  });
  let id: string | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error("The bot check handed out no token."));
      silence = setTimeout(fail, SILENCE_MS);
      id = widget.render(place, {
        sitekey: siteKey,
        appearance: "interaction-only",
        language: document.documentElement.lang || "auto",
        callback: resolve,
        "error-callback": () => {
          fail();
          return true;
        },
        "timeout-callback": fail,
        "unsupported-callback": fail,
        "before-interactive-callback": () => clearTimeout(silence),
      });
    });
  } finally {
    clearTimeout(silence);
    if (id !== undefined) widget.remove(id);
    place.remove();
  }
}

/** A script that does not come in time is taken away, so that the next form asks for it anew. */
function load(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const fail = () => {
      script.remove();
      reject(new Error("The bot check could not be loaded."));
    };
    const limit = setTimeout(fail, CONSTANTS.requestTimeout);
    script.src = source;
    script.onload = () => {
      clearTimeout(limit);
      resolve();
    };
    script.onerror = () => {
      clearTimeout(limit);
      fail();
    };
    document.head.append(script);
  });
}
