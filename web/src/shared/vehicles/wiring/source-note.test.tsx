import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { aReport } from "~/testing/some-wiring";
import { SourceNote } from "./source-note";

const twoDaysAgo = () => new Date(Date.now() - 2 * 86_400_000).toISOString();

test("what a source tells now has its date", () => {
  show(<SourceNote report={aReport({ fetched_at: twoDaysAgo() })} />);
  expect(screen.getByRole("status")).toHaveTextContent("Source: iDatawire 2 days ago");
});

test("what a source told before is said to be that, with its date", () => {
  show(<SourceNote report={aReport({ state: "stale", fetched_at: twoDaysAgo() })} />);
  expect(screen.getByRole("status")).toHaveTextContent(
    "iDatawire does not answer at the moment. This is what it told before: 2 days ago",
  );
});

test("a source that is away is named", () => {
  show(<SourceNote report={aReport({ state: "away", fetched_at: null })} />);
  expect(screen.getByRole("alert")).toHaveTextContent(
    /^iDatawire does not answer at the moment. The other sources are shown.$/,
  );
});
