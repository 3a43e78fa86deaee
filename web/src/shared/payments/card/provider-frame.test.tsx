import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { ProviderFrame } from "./provider-frame";

afterEach(() => {
  vi.restoreAllMocks();
});

test("the provider's page comes in the colours of the page around it at the first drawing", () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) =>
      ({
        matches: media.includes("dark"),
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  const entry = { onReady: () => undefined, onFault: () => undefined };
  const drawn = renderToString(
    <I18nProvider i18n={i18n}>
      <MantineProvider defaultColorScheme="auto">
        <ProviderFrame url="https://cards.example/frame" publicKey="pk" {...entry} />
      </MantineProvider>
    </I18nProvider>,
  );
  expect(drawn).toContain("theme=dark");
});

test("a theme that changes is told to the page of the frame, which keeps what was typed there", () => {
  const onReady = vi.fn();
  const drawn = (theme: "light" | "dark") => (
    <I18nProvider i18n={i18n}>
      <MantineProvider forceColorScheme={theme}>
        <ProviderFrame
          url="https://cards.example/frame"
          publicKey="pk"
          onReady={onReady}
          onFault={() => undefined}
        />
      </MantineProvider>
    </I18nProvider>
  );
  const { rerender } = render(drawn("light"));
  const frame = screen.getByTitle<HTMLIFrameElement>(/^Card number/);
  const page = frame.contentWindow as Window;
  const tell = vi.spyOn(page, "postMessage").mockImplementation(() => undefined);
  const { src } = frame;
  rerender(drawn("dark"));
  expect(tell).not.toHaveBeenCalled(); // nobody hears it there yet
  const ready = { data: { type: "ready" }, origin: "https://cards.example", source: page };
  act(() => void window.dispatchEvent(new MessageEvent("message", ready)));
  expect(onReady).toHaveBeenCalledOnce();
  expect(tell).toHaveBeenLastCalledWith({ type: "theme", theme: "dark" }, "https://cards.example");
  rerender(drawn("light"));
  expect(tell).toHaveBeenLastCalledWith({ type: "theme", theme: "light" }, "https://cards.example");
  expect(frame.src).toBe(src);
});
