import "@testing-library/jest-dom/vitest";
import { i18n } from "@lingui/core";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { messages } from "~/i18n/en.po";
import { clearAlerts } from "~/shared/alerts/alerts";
import { end } from "~/shared/session/session";

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
  end(); // the modules are one for all files: nobody stays signed in for the next one, and nothing told
  clearAlerts();
  localStorage.clear();
});
