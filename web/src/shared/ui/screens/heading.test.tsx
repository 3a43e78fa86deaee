import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Heading, leavePage } from "./heading";

function Page({ name }: { name?: string }) {
  return (
    <>
      <input aria-label="Search" />
      <a href="#next">Next</a>
      {name ? <Heading key={name}>{name}</Heading> : null}
    </>
  );
}

const heading = () => screen.getByRole("heading", { level: 1 });

test("the heading of the next page takes the focus, wherever the change of page began", () => {
  const { rerender } = render(<Page name="First" />);
  screen.getByRole("link").focus();
  leavePage();
  rerender(<Page name="Second" />);
  expect(heading()).toHaveFocus();
  screen.getByRole("textbox").focus();
  leavePage();
  rerender(<Page name="Third" />);
  expect(heading()).toHaveFocus();
});

test("a page that comes late does not take the focus from who has begun to type", () => {
  const { rerender } = render(<Page name="First" />);
  screen.getByRole("link").focus();
  leavePage();
  rerender(<Page />);
  screen.getByRole("textbox").focus();
  rerender(<Page name="Second" />);
  expect(screen.getByRole("textbox")).toHaveFocus();
});
