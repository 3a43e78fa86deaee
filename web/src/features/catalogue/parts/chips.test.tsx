import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { wantedIn } from "../address";
import { Chips } from "./chips";

const BRANDS = [
  { slug: "a", name: "Arctic" },
  { slug: "b", name: "Bolt" },
];

function Narrowed() {
  const [wanted, setWanted] = useState({ ...wantedIn({}), brands: ["a", "b"] });
  const lists = { brands: BRANDS, categories: [] };
  const change = (next: object) => setWanted({ ...wanted, ...next });
  return (
    <>
      <h1 tabIndex={-1}>Products</h1>
      <Chips wanted={wanted} lists={lists} onChange={change} />
    </>
  );
}

test("what was narrowed by goes, and the focus goes to the heading", async () => {
  show(<Narrowed />);
  screen.getByRole("button", { name: "Remove Arctic" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(screen.getByRole("heading", { name: "Products" })).toHaveFocus();
});
