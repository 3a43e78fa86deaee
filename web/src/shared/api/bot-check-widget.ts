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
};

declare global {
  interface Window {
    turnstile?: Widget;
  }
}

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
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error("The bot check handed out no token."));
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
      });
    });
  } finally {
    if (id !== undefined) widget.remove(id);
    place.remove();
  }
}

function load(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error("The bot check could not be loaded."));
    };
    document.head.append(script);
  });
}
