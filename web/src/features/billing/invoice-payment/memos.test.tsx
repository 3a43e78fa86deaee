import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { show } from "~/testing/show";
import { Memos } from "./memos";

afterEach(() => vi.restoreAllMocks());

test("a look that fails is told above the memos, which stay", async () => {
  const memo = { id: "m1", number: "CM-1", reason: "Returned", balance: { amount: 5 } };
  vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(Response.json({ results: [memo] }));
  show(<Memos label="Credit memos" chosen={[]} quoted={[]} onChange={vi.fn()} />);
  await screen.findByRole("checkbox", { name: "CM-1, Returned: $5.00 left" });
  expect(screen.getByText("Returned")).toHaveAttribute("lang", "en");
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByRole("checkbox", { name: /^CM-1/ })).toBeVisible();
});
