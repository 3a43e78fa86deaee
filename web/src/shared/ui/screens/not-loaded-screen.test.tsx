import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { isMissingScript, NotLoadedScreen } from "./not-loaded-screen";

test("a page that was not loaded says so, and comes when the signal is back", async () => {
  const reload = vi.fn();
  await showPage(<NotLoadedScreen reload={reload} />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(
    "This page was not loaded yet",
  );
  expect(reload).not.toHaveBeenCalled();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(reload).toHaveBeenCalledOnce();
});

test.each([
  ["Failed to fetch dynamically imported module: https://turnkey.example/assets/a.js", true],
  ["error loading dynamically imported module: https://turnkey.example/assets/a.js", true],
  ["Importing a module script failed.", true],
  ["Unable to preload CSS for /assets/page.css", true],
  ["x is not a function", false],
])("%j is the word for a script or a sheet that is missing: %s", (message, missing) => {
  expect(isMissingScript(new TypeError(message))).toBe(missing);
  expect(isMissingScript(new Error(message))).toBe(missing);
  expect(isMissingScript(message)).toBe(false);
});
