import "@testing-library/jest-dom/vitest";
import { i18n } from "@lingui/core";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { messages } from "~/i18n/en.po";
import { clearAlerts } from "~/shared/alerts/alerts";
import { tellWaiting } from "~/shared/kept/waiting";
import { closeViewer } from "~/shared/media/viewer";
import { closeBusiness } from "~/shared/session/ask-business";
import { carry, end } from "~/shared/session/session";

i18n.loadAndActivate({ locale: "en", messages });

// A busy machine may take seconds to render; what is found is found at once all the same.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has none of these
window.scrollTo = () => undefined;
(document as { fonts?: EventTarget }).fonts ??= new EventTarget();
Element.prototype.scrollIntoView ??= () => undefined;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

afterEach(() => {
  cleanup();
  // The modules are one for all files: nobody stays signed in or carries a link for the next one, nothing open, and nothing told.
  carry(undefined);
  end();
  closeBusiness();
  closeViewer();
  tellWaiting(0);
  clearAlerts();
  localStorage.clear();
  document.documentElement.lang = "en";
  for (const pair of document.cookie.split("; ")) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
    document.cookie = `${pair.split("=")[0]}=; Max-Age=0; Path=/`;
  }
});
