// Draws the shape of the page that was asked for, and begins the script once that is on the screen. Written into the page
// by checks/first-paint.ts.
(() => {
  const path = location.pathname.replace(/(.)\/$/, "$1");
  const copy = (kind) =>
    [...document.querySelectorAll(`template[data-${kind}]`)]
      .find(({ dataset }) => new RegExp(`^(?:${dataset[kind]})$`).test(path))
      .content.cloneNode(true);
  const first = document.querySelector(".first");
  first.append(copy("bar"));
  first.querySelector("main").append(copy("shape"));
  const { cookie, visibilityState } = document;
  if (cookie.includes("turnkey_session=1")) first.classList.add("first-known");
  if (cookie.includes("allow-analytics=")) first.classList.add("first-answered");

  const start = () => import(document.querySelector("link[rel=modulepreload]").href);
  // A page that is not looked at has no frames.
  if (visibilityState === "hidden") start();
  else requestAnimationFrame(() => setTimeout(start));
})();
