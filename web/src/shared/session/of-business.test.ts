import { QueryClient, queryOptions } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { aPerson } from "~/testing/a-person";
import { ofBusiness, ofBuyers } from "./of-business";
import { amend, begin } from "./session";

const NONE = { business: null, impersonated: null, must_choose: true };

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

test("what buyers read is not asked for by an installer", async () => {
  const ask = (purchasing_rights: boolean) => {
    begin(aPerson({ purchasing_rights }), "t");
    amend({ work: { ...NONE, must_choose: false } });
    const queryFn = vi.fn(async () => 3);
    const options = queryOptions({ queryKey: ["orders"], queryFn, retry: false });
    return { queryFn, answer: new QueryClient().fetchQuery(ofBuyers(options)) };
  };
  const { queryFn, answer } = ask(false);
  await expect(answer).rejects.toMatchObject({ status: 403, code: "forbidden" });
  expect(queryFn).not.toHaveBeenCalled();
  expect(await ask(true).answer).toBe(3);
});
