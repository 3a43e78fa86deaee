import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { KeptScreen } from "./kept-screen";

test("with nothing kept one tries again, and no link leads where a network is needed", async () => {
  const onRetry = vi.fn();
  show(<KeptScreen onRetry={onRetry} />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(screen.queryByRole("link")).toBeNull();
});
