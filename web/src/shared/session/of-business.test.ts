import { QueryClient, queryOptions } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { aPerson } from "~/testing/a-person";
import { ofBusiness } from "./of-business";
import { amend, begin, end } from "./session";

const NONE = { business: null, impersonated: null, must_choose: true };

afterEach(() => end());

function asked() {
  const queryFn = vi.fn(async () => 3);
  const answer = new QueryClient().fetchQuery(
    ofBusiness(queryOptions({ queryKey: ["orders"], queryFn, retry: false })),
  );
  return { queryFn, answer };
}

test("before a rep has chosen a business nothing is sent", async () => {
  begin(aPerson(), "t");
  amend({ work: NONE });
  const { queryFn, answer } = asked();
  await expect(answer).rejects.toMatchObject({ code: "business_needed" });
  expect(queryFn).not.toHaveBeenCalled();
});

test("whoever need not choose asks at once", async () => {
  begin(aPerson(), "t");
  amend({ work: { ...NONE, must_choose: false } });
  expect(await asked().answer).toBe(3);
});
