import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { clearAlerts } from "~/shared/alerts/alerts";
import { show } from "~/testing/show";
import { AlertBar } from "./alert-bar";
import { openPalette, Palette } from "./palette";

afterEach(() => act(clearAlerts));

function Words({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      Enough
    </button>
  );
}

test("a palette that cannot be fetched is told of; the page stays, and the next press opens it", async () => {
  show(
    <>
      <AlertBar />
      <h1>The page</h1>
      <Palette />
    </>,
  );
  await act(() =>
    openPalette(() => Promise.reject(new TypeError("Importing a module script failed."))),
  );
  expect(await screen.findByText(/We could not reach Turnkey/)).toBeVisible();
  expect(screen.getByRole("heading", { name: "The page" })).toBeVisible();
  await act(() => openPalette(async () => ({ default: Words })));
  await userEvent.click(screen.getByRole("button", { name: "Enough" }));
  expect(screen.queryByRole("button", { name: "Enough" })).toBeNull();
});
