import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { holding } from "~/testing/show";
import { Problem } from "./errors";
import { useSend } from "./send";

afterEach(() => {
  act(clearAlerts);
});

const sending = (options?: Parameters<typeof useSend>[0]) =>
  renderHook(() => useSend<string>(options), { wrapper: holding() }).result;

const refused = () => Promise.reject(new Problem(409, { code: "stale_quote" }));

test("the same thing is sent under the same key until it worked", async () => {
  const sent = sending();
  const keys: string[] = [];
  const take = (key: string) => {
    keys.push(key);
    return keys.length === 1 ? refused() : Promise.resolve("done");
  };
  for (let turn = 0; turn < 3; turn += 1) await act(() => sent.current.send(take, { sku: "A" }));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
  expect(sent.current.done).toBe(2);
});

test("another thing, and a thing without a name, has a key of its own", async () => {
  const sent = sending();
  const keys: string[] = [];
  const take = async (key: string) => {
    keys.push(key);
    return refused();
  };
  await act(() => sent.current.send(take, { sku: "A" }));
  await act(() => sent.current.send(take, { sku: "B" }));
  await act(() => sent.current.send(take));
  await act(() => sent.current.send(take));
  expect(new Set(keys).size).toBe(4);
});

test("a second click joins the first", async () => {
  const sent = sending();
  const work = vi.fn(() => Promise.resolve("done"));
  await act(() =>
    Promise.all([sent.current.send(work, "order"), sent.current.send(work, "order")]),
  );
  expect(work).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(sent.current.answer).toBe("done"));
});

test("a refusal stands in the page until it is sent again, or is told at the top of it", async () => {
  const alerts = renderHook(() => useAlerts()).result;
  const inPage = sending();
  await act(() => inPage.current.send(refused));
  await waitFor(() => expect(inPage.current.problem?.code).toBe("stale_quote"));
  await act(() => inPage.current.send(() => Promise.resolve("done")));
  await waitFor(() => expect(inPage.current.problem).toBeUndefined());
  expect(alerts.current).toEqual([]);

  const atTop = sending({ alert: true });
  await act(() => atTop.current.send(refused));
  expect(atTop.current.problem).toBeUndefined();
  await waitFor(() => expect(alerts.current).toHaveLength(1));
});

function Sender({ work }: { work: () => Promise<string> }) {
  const { busy, send } = useSend<string>();
  return (
    <button type="button" disabled={busy} onClick={() => void send(work)}>
      Send
    </button>
  );
}

test("a button that was off while it was sent has the focus again", async () => {
  const Holding = holding();
  render(
    <Holding>
      <Sender work={() => new Promise((_, refuse) => setTimeout(refuse, 5))} />
    </Holding>,
  );
  const button = screen.getByRole("button", { name: "Send" });
  await userEvent.click(button);
  expect(button).toBeDisabled();
  button.blur(); // as a browser takes the focus from what is off
  await waitFor(() => expect(button).toBeEnabled());
  expect(button).toHaveFocus();
});
