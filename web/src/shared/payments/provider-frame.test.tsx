import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
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
