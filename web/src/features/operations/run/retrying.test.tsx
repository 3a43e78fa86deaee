import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aRun } from "~/testing/runs/a-run";
import { showPage } from "~/testing/show";
import type { Retrying } from "../queries";
import { RetryingPanel } from "./retrying";

const ASKED: Retrying = {
  activity: "refund_payment",
  attempt: 6,
  failure: "It did not answer.",
  next_at: null,
  request_id: null,
  parts: [],
};

test("what the provider calls a request is shown where it said so, to be asked for there", async () => {
  const named = { ...ASKED, activity: "capture_payment", request_id: "req_Vq7" };
  await showPage(<RetryingPanel run={aRun()} retrying={[ASKED, named]} />);
  const [first, second] = screen.getAllByRole("listitem");
  expect(first).not.toHaveTextContent("They call the request");
  expect(second).toHaveTextContent("They call the request req_Vq7");
});
