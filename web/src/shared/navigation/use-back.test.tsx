import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { visited } from "~/shared/navigation/back";
import { useBack } from "~/shared/navigation/use-back";
import { showPage } from "~/testing/show";

function Back() {
  const { go } = useBack();
  return (
    <button type="button" onClick={go}>
      Back
    </button>
  );
}

let forget = () => {};
afterEach(() => forget());

/** Pages that are opened one after the other, as the router tells of them. */
async function shown(first: string, ...hrefs: string[]) {
  const { history } = await showPage(<Back />, first);
  const tell = () => {
    const { pathname, search, state } = history.location;
    visited({ pathname, search: Object.fromEntries(new URLSearchParams(search)), state });
  };
  tell();
  forget = history.subscribe(tell);
  for (const href of hrefs) act(() => history.push(href));
  return history;
}

const back = () => userEvent.click(screen.getByRole("button"));

test("Back from a search result, a run or a step before leads to what was shown there, and on from it", async () => {
  const history = await shown(
    "/",
    "/search?s=remote&p=3",
    "/activation",
    "/activation/select-activation-type?device=FT-X1-00000042",
  );
  for (const href of ["/activation", "/search?s=remote&p=3", "/"]) {
    await back();
    await waitFor(() => expect(history.location.href).toBe(href));
  }
});

test("a run that was left is come back to, and not an address without it", async () => {
  const history = await shown("/activation/device?id=run1", "/activation");
  await back();
  await waitFor(() => expect(history.location.href).toBe("/activation/device?id=run1"));
});

test("a page above that was not shown takes the place of the one that is left", async () => {
  const history = await shown("/", "/order/17");
  await back();
  await waitFor(() => expect(history.location.href).toBe("/my-orders"));
  act(() => history.back());
  await waitFor(() => expect(history.location.href).toBe("/"));
});
