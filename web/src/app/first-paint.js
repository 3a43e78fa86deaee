// Draws the shape of the page that was asked for, and begins the script once that is on the screen. Written into the page
// by checks/first-paint.ts.
(() => {
  const { cookie, visibilityState } = document;
  const known = cookie.split("; ").includes("turnkey_session=1");
  const asked = location.pathname.replace(/(.)\/$/, "$1");
  // Whoever is signed in is led on from there (src/shared/navigation/guard.ts).
  const path = known && asked === "/login" ? "/" : asked;
  const copy = (kind) => {
    const { content } = [...document.querySelectorAll(`template[data-${kind}]`)].find(
      ({ dataset }) => new RegExp(`^(?:${dataset[kind]})$`).test(path),
    );
    for (const link of content.querySelectorAll("link[lang]"))
      if (link.lang !== document.documentElement.lang) link.remove();
    return content.cloneNode(true);
  };
  const first = document.querySelector(".first");
  first.append(copy("bar"));
  first.querySelector("main").append(copy("shape"));
  if (known) first.classList.add("first-known");
  if (cookie.includes("allow-analytics=")) first.classList.add("first-answered");

  // Who is remembered is asked for while the script comes, which takes longer (src/shared/session/asked-ahead.ts).
  if (known) {
    const renewed = fetch("/v1/auth/refresh", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    const user = renewed
      .then((answer) => answer.ok && answer.clone().json())
      .then(
        (held) =>
          held &&
          fetch("/v1/auth/user", { headers: { Authorization: `Bearer ${held.access_token}` } }),
      );
    user.catch(() => {});
    globalThis.askedAhead = { renewed, user };
  }

  // A picture may not stand for good: what never comes is said, and can be read out and pressed.
  const fail = () => {
    first.removeAttribute("aria-hidden");
    first.removeAttribute("aria-busy");
    first.replaceChildren(copy("failed"));
  };
  addEventListener("unstarted", fail);
  const start = () => import(document.querySelector("link[rel=modulepreload]").href).catch(fail);
  // A page that is not looked at has no frames.
  if (visibilityState === "hidden") start();
  else requestAnimationFrame(() => setTimeout(start));
})();
