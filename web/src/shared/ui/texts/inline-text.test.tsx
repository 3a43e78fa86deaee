import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { InlineText } from "./inline-text";

/** The marked-up words alone, out of the page around them. */
async function html(text: string): Promise<string | undefined> {
  const { container } = await showPage(
    <div data-testid="text">
      <InlineText text={text} />
    </div>,
  );
  return container.querySelector("[data-testid=text]")?.innerHTML;
}

test.each([
  ["plain & simple", "plain &amp; simple"],
  ["a <b>bold</b> <em>word</em>", "a <b>bold</b> <em>word</em>"],
  ["<script>alert(1)</script>after", "after"],
  ["<img src=x onerror=alert(1)>picture", "picture"],
  ['<b onclick="alert(1)" style="x">b</b>', "<b>b</b>"],
  ['<a href="javascript:alert(1)">press</a>', "press"],
  ['<a href=" JaVaScRiPt:alert(1)">press</a>', "press"],
  ['<a href="data:text/html,x">press</a>', "press"],
  ['<a href="//evil.example">press</a>', "press"],
  ['<a href="/\\evil.example">press</a>', "press"],
  ['<a href="/no-such-page">press</a>', "press"],
  ['<a href="/terms">terms</a>', '<a href="/terms">terms</a>'],
  ['<a href="tel:+1-888-820-3690">call</a>', '<a href="tel:+1-888-820-3690">call</a>'],
  [
    '<a href="mailto:help@turnkey.example">write</a>',
    '<a href="mailto:help@turnkey.example">write</a>',
  ],
  ['<a href="mailto:a@b.example?bcc=c@d.example">write</a>', "write"],
  ['<a href="mailto:a@b.example,c@d.example">write</a>', "write"],
  ['<a href="tel:*21*123#">call</a>', "call"],
  ['<a href="tel:1%0a2">call</a>', "call"],
  ['<a href="sms:+18888203690">text</a>', "text"],
  ["<iframe src=x></iframe><svg onload=alert(1)><b>in</b></svg>", "<b>in</b>"],
  ["<style>*{}</style><form action=x>words</form>", "words"],
  ["&lt;script&gt;", "&lt;script&gt;"],
  ["Write to a.b@c.example, 1 888 555 0101.", "Write to a.b@c.example, 1 888 555 0101."],
])("%s", async (text, expected) => {
  expect(await html(text)).toBe(expected);
});

test("a link to another site opens apart and tells it nothing", async () => {
  expect(await html('<a href="https://ok.example/a">ok</a>')).toBe(
    '<a href="https://ok.example/a" target="_blank" rel="noopener noreferrer nofollow">ok</a>',
  );
});

test("nesting without end is cut off", async () => {
  const deep = `${"<b>".repeat(50)}x${"</b>".repeat(50)}`;
  expect((await html(deep))?.match(/<b>/g)?.length).toBeLessThan(12);
});
