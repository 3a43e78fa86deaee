import { describe, expect, it } from "vitest";
import { named } from "./request-names";

const asked = () => named(new Request("http://portal.test/v1/cart"));
const traceOf = (request: Request) => request.headers.get("traceparent")?.split("-")[1];

describe("what a request is called", () => {
  it("is an id of its own and a context of the W3C's form", () => {
    const [one, another] = [asked(), asked()];
    expect(one.headers.get("X-Request-ID")).toMatch(/^[0-9a-f]{24}$/);
    expect(one.headers.get("traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(another.headers.get("X-Request-ID")).not.toBe(one.headers.get("X-Request-ID"));
  });

  it("is kept when the request is tried again", () => {
    const first = asked();
    const again = named(new Request(first.clone()));
    expect(again.headers.get("X-Request-ID")).toBe(first.headers.get("X-Request-ID"));
    expect(again.headers.get("traceparent")).toBe(first.headers.get("traceparent"));
  });

  it("comes with what the portal speaks", () => {
    document.documentElement.lang = "fr";
    expect(asked().headers.get("Accept-Language")).toBe("fr");
  });

  it("shares its trace with what the same click asks for", () => {
    document.body.click();
    const [one, another] = [asked(), asked()];
    expect(traceOf(one)).toBe(traceOf(another));
    document.body.click();
    expect(traceOf(asked())).not.toBe(traceOf(one));
  });
});
