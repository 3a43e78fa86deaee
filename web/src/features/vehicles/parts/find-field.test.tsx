import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { FindField } from "./find-field";

test("what is typed stands until the address has it, and goes when the address is another", async () => {
  const put: (() => void)[] = [];
  const onFind = () => new Promise<void>((resolve) => put.push(resolve));
  const { rerender } = show(<FindField find="" onFind={onFind} />);
  const field = screen.getByRole("searchbox", { name: "Find in all sources" });
  await userEvent.type(field, "br");
  rerender(<FindField find="b" onFind={onFind} />);
  expect(field).toHaveValue("br");
  rerender(<FindField find="br" onFind={onFind} />);
  await act(async () => {
    for (const done of put) done();
  });
  expect(field).toHaveValue("br");
  rerender(<FindField find="" onFind={onFind} />);
  expect(field).toHaveValue("");
});
