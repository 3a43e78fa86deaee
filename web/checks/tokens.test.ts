import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { besideTokens } from "./tokens.ts";

test("a colour, a size and a weight of type, a gap, a margin, a padding and a radius of its own are found with their lines", () => {
  const sheet = `.one {
  gap: 14px;
  border: 1px solid #abc;
  border-radius: 999px;
  border-top-left-radius: 9px;
  font-size: 0.9rem;
  font-weight: 650;
  padding: 2px 10px var(--space-2) 96px;
}
.two {
  row-gap: var(--space-3);
  font-weight: 600;
  background: rgb(0 0 0 / 10%);
  border-radius: calc(var(--mantine-radius-lg) - 1px) 0 0;
  padding: 3px var(--space-3) calc(var(--space-3) + env(safe-area-inset-bottom));
  font-size: var(--text-2);
  margin: -1px auto calc(-1 * var(--space-2)) 5vh;
  margin-left: -6px;
}
`;
  expect(besideTokens(sheet)).toEqual([
    "2: gap: 14px",
    "3: #abc",
    "5: border-top-left-radius: 9px",
    "6: font-size: 0.9rem",
    "7: font-weight: 650",
    "8: padding: 2px 10px var(--space-2) 96px",
    "13: rgb(0 0 0 / 10%)",
    "18: margin-left: -6px",
  ]);
});

test("colours, sizes and weights of type, gaps, margins, paddings and radii of all sheets are those of the theme", () => {
  const found = globSync("src/**/*.css").flatMap((file) =>
    besideTokens(readFileSync(file, "utf8")).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});
