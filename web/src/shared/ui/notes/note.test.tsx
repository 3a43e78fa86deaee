import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Problem, problemOf } from "~/shared/api/errors";
import { show } from "~/testing/show";
import { ProblemNote } from "./note";

const shown = (status: number, code: string) => {
  const problem = new Problem(status, { code, detail: "No", instance: "r-42" });
  show(<ProblemNote problem={problem} onRetry={() => undefined} />);
};

test("that nobody was reached is said at once", () => {
  show(<ProblemNote problem={problemOf(new TypeError("Failed to fetch"))} />);
  expect(screen.getByRole("alert")).toHaveTextContent("We could not reach Turnkey.");
});

test("what is ours to mend has its reference and another try", async () => {
  shown(500, "unexpected");
  expect(await screen.findByRole("alert")).toHaveTextContent("Reference r-42");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("what a person can mend has no reference", async () => {
  shown(409, "business_needed");
  expect(await screen.findByRole("alert")).not.toHaveTextContent("r-42");
});

test.each([
  ["throttled", 12, /time\. Try again in 1 minute\.$/],
  ["throttled", 541, /time\. Try again in 10 minutes\.$/],
  ["too_many_rounds", 3 * 3600, /later\. Try again in 3 hours\.$/],
  ["too_many_password_changes", 541, /exceeded\. Please try again in 15 minutes\.$/],
  ["throttled", null, /after some time\.$/],
])(
  "a limit says how long it lasts, unless its words do: %s, %s seconds",
  async (code, left, said) => {
    const problem = new Problem(429, { code }, left === null ? null : String(left));
    show(<ProblemNote problem={problem} />);
    expect(await screen.findByRole("alert")).toHaveTextContent(said);
  },
);

test("what is not permitted is not tried again", async () => {
  shown(403, "forbidden");
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

test("what another try would not help is put away, and says so", async () => {
  const put = vi.fn();
  show(<ProblemNote problem={new Problem(409, {})} onClose={put} />);
  await userEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(put).toHaveBeenCalledTimes(1);
});
