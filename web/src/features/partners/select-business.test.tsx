import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { amend, begin } from "~/shared/session/session";
import { aRep, aWork } from "~/testing/a-person";
import { show } from "~/testing/show";
import SelectBusiness from "./select-business";

const node = (sapBpCode: string, companyName: string) => ({
  id: sapBpCode.toLowerCase(),
  sapBpCode,
  companyName,
  channel: { slug: "dealer-1" },
  country: "CA",
  subdistributor: false,
});
const HARBOUR = node("N1001", "Harbour Car Audio");
const PRAIRIE = node("N1002", "Prairie Remote Start");
const ZENITH = node("N9000", "Zenith Sound");
const chosen: unknown[] = [];
/** Pages after the first, held back until a test lets them come. */
let later: Promise<Response> | undefined;

async function answer(request: Request): Promise<Response> {
  if (request.method === "PUT") {
    chosen.push(await request.json());
    return Response.json(aWork(true));
  }
  if (!request.url.endsWith("/api/business-partners")) return Response.json({});
  const { search, endCursor } = (await request.json()) as { search: string; endCursor?: string };
  if (later && endCursor) return later;
  const all = [HARBOUR, PRAIRIE, ZENITH];
  const found = all.filter((one) => one.companyName.toLowerCase().includes(search.toLowerCase()));
  return Response.json({
    recent: search === "" ? [PRAIRIE, ZENITH] : [],
    edges: found.map((one) => ({ node: one })),
    totalCount: later ? 240 : found.length,
    pageInfo: later
      ? { hasNextPage: true, endCursor: "c1" }
      : { hasNextPage: false, endCursor: null },
  });
}

beforeEach(() => {
  chosen.length = 0;
  later = undefined;
  vi.spyOn(globalThis, "fetch").mockImplementation((input) => answer(input as Request));
  begin(aRep(), "t");
  amend({ work: aWork(false) });
});

afterEach(() => vi.restoreAllMocks());

const names = () => screen.getAllByRole("radio").map((one) => one.getAttribute("value"));
const confirm = () => screen.getByRole("button", { name: "Confirm" });

test("recent businesses stand first, and none stands twice", async () => {
  show(<SelectBusiness onClose={() => undefined} />);
  await screen.findByText("Recent businesses");
  expect(names()).toEqual(["N1002", "N9000", "N1001"]);
});

test("the business that one works for is chosen as it opens, and in view", async () => {
  const { business, ...work } = aWork(true);
  amend({ work: { ...work, business: business && { ...business, code: "N1002" } } });
  show(<SelectBusiness onClose={() => undefined} />);
  const chosen = await screen.findByRole("radio", { checked: true });
  expect(chosen).toHaveAccessibleName(/^Prairie Remote Start/);
  expect(names()[0]).toBe(chosen.getAttribute("value"));
  expect(confirm()).toBeDisabled();
});

test("a business that another search hides is not confirmed, by button or Enter", async () => {
  const user = userEvent.setup();
  show(<SelectBusiness onClose={() => undefined} />);
  await user.click(await screen.findByRole("radio", { name: /Harbour/ }));
  expect(confirm()).toBeEnabled();
  const search = screen.getByLabelText("Search by business name or code");
  await user.type(search, "prairie{Enter}");
  expect(confirm()).toBeDisabled();
  await waitFor(() => expect(names()).toEqual(["N1002"]));
  expect(screen.queryByRole("radio", { checked: true })).toBeNull();
  expect(confirm()).toBeDisabled();
  await user.type(search, "{Enter}");
  expect(chosen).toEqual([]);
  await user.click(screen.getByRole("radio", { name: /Prairie/ }));
  await user.click(confirm());
  await waitFor(() => expect(chosen).toEqual([{ sapBpCode: "N1002" }]));
});

const LAST = {
  recent: [],
  edges: [],
  totalCount: 240,
  pageInfo: { hasNextPage: false, endCursor: null },
};

test("while partners load it says how many, and neither Escape, cross nor Cancel closes it", async () => {
  const user = userEvent.setup();
  let come: (answer: Response) => void = () => undefined;
  later = new Promise((resolve) => (come = resolve));
  const onClose = vi.fn();
  show(<SelectBusiness onClose={onClose} />);
  expect(screen.getByText("Loading 0 business partners")).toBeVisible();
  expect(await screen.findByText("Loading 240 business partners")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "Close" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Cancel" })).toBeDisabled();
  expect(onClose).not.toHaveBeenCalled();
  come(Response.json(LAST));
  await waitFor(() => expect(screen.getByRole("button", { name: "Cancel" })).toBeEnabled());
  expect(screen.queryByText(/^Loading/)).toBeNull();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("partners that cannot be loaded keep nobody in it", async () => {
  later = Promise.resolve(Response.json({ code: "forbidden" }, { status: 403 }));
  const onClose = vi.fn();
  show(<SelectBusiness onClose={onClose} />);
  await screen.findByRole("alert");
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("by keyboard a business is chosen by the arrows and confirmed by Enter", async () => {
  const user = userEvent.setup();
  const onClose = vi.fn();
  show(<SelectBusiness onClose={onClose} />);
  (await screen.findByRole("radio", { name: /Prairie/ })).focus();
  await user.keyboard("{ArrowDown}");
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(chosen).toEqual([{ sapBpCode: "N9000" }]));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});
