import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { Memos } from "./memos";

afterEach(() => vi.restoreAllMocks());

const aMemo = (number: string) => ({ id: number, number, reason: "Back", balance: { amount: 5 } });
const FIRST = aMemo("CM-1");
const LATER = aMemo("CM-777");

/** A business with so many open credit memos. */
function holding(count: number) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { search } = await (request as Request).json();
    const results = [FIRST, LATER].filter(({ number }) =>
      search ? number.includes(search) : number === FIRST.number,
    );
    return Response.json({ results, count: search ? results.length : count });
  });
}

function Chosen() {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return <Memos label="Credit memos" chosen={chosen} quoted={[]} onChange={setChosen} />;
}

test("of many credit memos it is said how many are shown, and another is found by its number", async () => {
  holding(130);
  show(<Chosen />);
  expect(await screen.findByText("The oldest 1 of 130 are shown.")).toBeVisible();
  await userEvent.click(screen.getByRole("checkbox", { name: /^CM-1,/ }));
  await userEvent.type(screen.getByRole("textbox", { name: /by its number/ }), "777");
  await userEvent.click(await screen.findByRole("checkbox", { name: /^CM-777/ }));
  expect(screen.getByRole("checkbox", { name: /^CM-1,/ })).toBeChecked();
  await userEvent.clear(screen.getByRole("textbox", { name: /by its number/ }));
  expect(await screen.findByText("The oldest 1 of 130 are shown.")).toBeVisible();
  expect(screen.getByRole("checkbox", { name: /^CM-777/ })).toBeChecked();
});

test("of a few all are shown, and nothing is said", async () => {
  holding(1);
  show(<Chosen />);
  expect(await screen.findByRole("checkbox", { name: /^CM-1,/ })).toBeVisible();
  expect(screen.queryByText(/are shown/)).toBeNull();
  expect(screen.queryByRole("textbox")).toBeNull();
});
