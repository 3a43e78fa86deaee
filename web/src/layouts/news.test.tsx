import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { News } from "./news";
import StartPage from "./start-page";

const NOTHING = {
  activations: null,
  orders: null,
  credit: null,
  plans: null,
  approvals: null,
  cases: null,
  recent_businesses: null,
  operations: null,
};
const SLIDES = {
  slides: [{ title: "From the box to the road", text: "", image: "/a.svg", alt: "A box" }],
};

let asked: string[] = [];
let answer: () => void = () => undefined;

/** The start page answers when it is told to; `news` is what the content provider says. */
async function shown(news: () => Response) {
  asked = [];
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    asked.push(pathname);
    if (pathname.startsWith("/content/")) return news();
    if (pathname === "/v1/start-page") await answered;
    return Response.json(pathname === "/v1/site" ? { links: {}, features: {} } : NOTHING);
  });
  begin(aPerson(), "t");
  await showPage(
    <>
      <StartPage scope="mine" />
      <News scope="mine" />
    </>,
  );
}

const newsAsked = () => asked.filter((path) => path.startsWith("/content/"));

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("what is new comes last, once what waits is there", async () => {
  await shown(() => Response.json(SLIDES));
  await waitFor(() => expect(asked).toContain("/v1/start-page"));
  expect(newsAsked()).toEqual([]);
  answer();
  expect(await screen.findByRole("region", { name: "What is new" })).toHaveTextContent(
    "From the box to the road",
  );
});

test("nothing is said of news that cannot be fetched", async () => {
  await shown(() => Response.json({}, { status: 503 }));
  answer();
  await waitFor(() => expect(newsAsked()).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "What is new" })).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});
