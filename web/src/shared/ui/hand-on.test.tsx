import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { handOn } from "./hand-on";

function Page({ rows, form = 1 }: { rows: string[]; form?: number }) {
  return (
    <>
      <h1>Cart</h1>
      <section>
        <h2>Filters</h2>
        <form key={form} ref={handOn}>
          <input aria-label="Search" />
        </form>
      </section>
      {rows.length ? (
        <ul>
          {rows.map((row) => (
            <li key={row} aria-label={row}>
              <button type="button" ref={handOn}>
                Remove {row}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

const settled = () => new Promise<void>(queueMicrotask);
const press = (row: string) => screen.getByRole("button", { name: `Remove ${row}` }).focus();

test("the row after the one that goes has the focus, or the one before, or the page's heading", async () => {
  const { rerender } = render(<Page rows={["a", "b", "c"]} />);
  press("b");
  rerender(<Page rows={["a", "c"]} />);
  await settled();
  expect(screen.getByRole("listitem", { name: "c" })).toHaveFocus();
  press("c");
  rerender(<Page rows={["a"]} />);
  await settled();
  expect(screen.getByRole("listitem", { name: "a" })).toHaveFocus();
  press("a");
  rerender(<Page rows={[]} />);
  await settled();
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("a row that another one takes away leaves the focus where it is", async () => {
  const { rerender } = render(<Page rows={["a", "b"]} />);
  screen.getByRole("textbox").focus();
  rerender(<Page rows={["b"]} />);
  await settled();
  expect(screen.getByRole("textbox")).toHaveFocus();
});

test("what is off while it is sent is gone on from, though it has the focus no more", async () => {
  const sent = (is: boolean) => (
    <section>
      <h2>Phone</h2>
      {is ? null : (
        <form ref={handOn}>
          <button type="submit" disabled>
            Confirm
          </button>
        </form>
      )}
    </section>
  );
  const { rerender } = render(sent(false));
  rerender(sent(true));
  await settled();
  expect(screen.getByRole("heading", { name: "Phone" })).toHaveFocus();
});

test("a form that its own search begins anew leaves the focus at its section's heading", async () => {
  const { rerender } = render(<Page rows={[]} />);
  screen.getByRole("textbox").focus();
  rerender(<Page rows={[]} form={2} />);
  await settled();
  expect(screen.getByRole("heading", { level: 2 })).toHaveFocus();
});
