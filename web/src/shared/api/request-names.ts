import { random } from "./idempotency";

const OF_ONE_CLICK_MS = 2000;

let click = { trace: random(16), until: 0 };
addEventListener(
  "click",
  () => {
    click = { trace: random(16), until: performance.now() + OF_ONE_CLICK_MS };
  },
  { capture: true },
);

/**
 * Names a request for all that it has done, in the portal and with third parties, and for whoever traces it (W3C Trace
 * Context): what is asked for soon after a click is one trace. Tried again, a request keeps its names. And it says what the
 * portal speaks, in which whoever asks is written to.
 */
export function named(request: Request): Request {
  if (request.headers.has("X-Request-ID")) return request;
  const trace = performance.now() < click.until ? click.trace : random(16);
  request.headers.set("X-Request-ID", random(12));
  request.headers.set("traceparent", `00-${trace}-${random(8)}-01`);
  request.headers.set("Accept-Language", document.documentElement.lang);
  return request;
}
