import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { Carousel } from "./carousel";

afterEach(() => vi.unstubAllGlobals());

test("a carousel that cannot be fetched is not there, and asks once", async () => {
  const fetched = vi.fn(async () => new Response("{}", { status: 503 }));
  vi.stubGlobal("fetch", fetched);
  const { container } = show(<Carousel />);
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(container.querySelector("section")).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(fetched).toHaveBeenCalledTimes(1);
});
