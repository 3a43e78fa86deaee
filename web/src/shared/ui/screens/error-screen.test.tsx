import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { ErrorScreen } from "./error-screen";

const again = () => screen.getByRole("button", { name: "Try again" });

test.each([
  ["Unable to preload CSS for /assets/page.css", 1],
  ["Failed to fetch dynamically imported module: https://turnkey.example/assets/a.js", 1],
  ["x is not a function", 0],
])("%j: Try again loads the whole page so often: %i", async (message, times) => {
  const reload = vi.fn();
  await showPage(<ErrorScreen error={new Error(message)} reload={reload} />);
  await userEvent.click(again());
  expect(reload).toHaveBeenCalledTimes(times);
});

test("a page whose sheet does not come without a network was not loaded yet", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await showPage(<ErrorScreen error={new Error("Unable to preload CSS for /assets/page.css")} />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(
    "This page was not loaded yet",
  );
});
