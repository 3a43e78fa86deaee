import { expect, test } from "vitest";
import { fetchedFor, namedIn, tooMuch, weigh } from "./bytes";

const PAGE = `
  <script type="module" src="/assets/index-a.js"></script>
  <link rel="modulepreload" href="/assets/react-b.js">
  <link rel="stylesheet" href="/assets/index-c.css">
  <link rel="preload" href="/assets/sans-d.woff2" as="font">
  <link rel="icon" href="/mark.svg">`;

/** As the build writes them: a table of what is needed, and imports with their texts. */
function importing(part: string, needs: string): string {
  return `T({en:()=>L(()=>import(\`./${part}-ENENENE.js\`),[]),fr:()=>L(()=>import(\`./${part}-FRFRFRF.js\`),[])},()=>L(()=>import(\`./${part}-abcd1_-.js\`),${needs}))`;
}

const SCRIPTS: Record<string, string> = {
  "/assets/index-a.js": `const d=(m,d=(m.f||(m.f=["assets/form-1111111.js","assets/form-2.css","assets/xstate-3333333.js"])));${importing("login", "__vite__mapDeps([0,1])")},${importing("search", "__vite__mapDeps([2])")},${importing("plain", "[]")}`,
  "/assets/login-abcd1_-.js": `(m.f=["assets/word-4444444.js"]);${importing("word", "__vite__mapDeps([0])")}`,
};
const read = (name: string) => Buffer.from(SCRIPTS[name] ?? "x".repeat(5000));

test("what a page names is weighed, and nothing else", () => {
  const names = namedIn(PAGE);
  expect(names.sort()).toEqual([
    "/assets/index-a.js",
    "/assets/index-c.css",
    "/assets/react-b.js",
    "/assets/sans-d.woff2",
  ]);
  const weight = weigh(names, () => Buffer.from("x".repeat(5000)));
  expect(weight.fonts).toBe(5);
  expect(weight.scripts).toBe(2);
  expect(weight.js).toBeCloseTo(2 * weight.css);
});

test("what a part of a page imports is fetched for that page, with the longer texts, and not for another", () => {
  const own = (parts: readonly string[]) =>
    fetchedFor(PAGE, parts, read)
      .filter((name) => !namedIn(PAGE).includes(name))
      .sort();
  const login = [
    "/assets/form-1111111.js",
    "/assets/form-2.css",
    "/assets/login-FRFRFRF.js",
    "/assets/login-abcd1_-.js",
  ];
  expect(own(["login"])).toEqual(login);
  expect(own(["plain"])).toEqual(["/assets/plain-FRFRFRF.js", "/assets/plain-abcd1_-.js"]);
  expect(own(["login", "word"])).toEqual(
    [
      ...login,
      "/assets/word-4444444.js",
      "/assets/word-FRFRFRF.js",
      "/assets/word-abcd1_-.js",
    ].sort(),
  );
  const light = weigh(fetchedFor(PAGE, ["plain"], read), read);
  expect(weigh(fetchedFor(PAGE, ["plain", "search"], read), read).js).toBeGreaterThan(light.js);
});

test("a part without texts is fetched alone, and one that two ask for once", () => {
  const script = `import(\`./plain-1111111.js\`),${importing("both", "[]")},L(()=>import(\`./bare-2222222.js\`).then(e=>e.t),__vite__mapDeps([0])),${importing("both", "[]").replaceAll("both-FR", "same-FR")}`;
  const table = `(m.f=["assets/bare.css"]);`;
  const own = (part: string) =>
    fetchedFor(PAGE, [part], (name) =>
      name === "/assets/index-a.js" ? Buffer.from(table + script) : read(name),
    ).filter((name) => !namedIn(PAGE).includes(name));
  expect(own("bare")).toEqual(["/assets/bare-2222222.js", "/assets/bare.css"]);
  expect(own("both")).toEqual(["/assets/both-abcd1_-.js", "/assets/both-FRFRFRF.js"]);
});

test("a page whose part is found nowhere is not weighed as if it were empty", () => {
  expect(() => fetchedFor(PAGE, ["word"], read)).toThrow("no script fetches word");
});

test("what is over its budget is named", () => {
  const budget = { js: 100, css: 10, fonts: 40, scripts: 12 };
  expect(tooMuch({ js: 100, css: 10, fonts: 40, scripts: 12 }, budget)).toEqual([]);
  expect(tooMuch({ js: 100.4, css: 10, fonts: 40, scripts: 13 }, budget)).toEqual([
    "js: 100.4, at most 100",
    "scripts: 13, at most 12",
  ]);
});
