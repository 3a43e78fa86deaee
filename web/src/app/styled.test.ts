import { afterEach, expect, test, vi } from "vitest";
import { styled } from "./styled";

/** The page's link; jsdom fetches no sheets, so there is none in it. */
function aLink(): HTMLLinkElement {
  const link = document.createElement("link");
  link.media = "print";
  document.head.append(link);
  return link;
}

afterEach(() => {
  document.querySelector("link[media]")?.remove();
});

test.each(["load", "error"])("a page waits for its sheet until its %s", async (event) => {
  vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
  const link = aLink();
  const waiting = styled();
  expect(link.media).toBe("print");
  link.dispatchEvent(new Event(event));
  await waiting;
  expect(link.media).toBe("all");
});

test("a sheet that had failed before the script began is not waited for longer than the page", async () => {
  const state = vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
  const link = aLink();
  const waiting = styled();
  window.dispatchEvent(new Event("load"));
  await waiting;
  expect(link.media).toBe("all");

  link.media = "print";
  state.mockReturnValue("complete");
  await styled();
  expect(link.media).toBe("all");
});
