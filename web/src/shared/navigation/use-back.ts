import { msg } from "@lingui/core/macro";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { backFrom, pageBefore } from "./back";
import { type Crumb, trail } from "./routes";

/** The trail to the present page, what was shown before it, and Back; without `go` where that is a step of the page itself. */
export function useBack() {
  const router = useRouter();
  const location = useRouterState({ select: (state) => state.location });
  const crumbs = [...optionsAbove(location), ...trail(location.pathname)];
  const before = pageBefore(location);
  const back = backFrom(location.pathname, crumbs, before);

  function go() {
    if (back.kind === "pages") router.history.go(-back.by);
    else if (back.kind === "history") router.history.back();
    else if (back.kind !== "step")
      void router.navigate({
        to: back.to as "/",
        search: back.search ?? {},
        replace: back.kind === "up",
      });
  }

  return { location, crumbs, before, go: back.kind === "step" ? undefined : go };
}

type At = { search: { vehicle?: unknown; slide?: unknown } };

/** A slide of a vehicle's wiring, which no other page has, stands below the vehicle's options (shell spec 3). */
function optionsAbove({ search }: At): Crumb[] {
  const { vehicle, slide } = search;
  if (!vehicle || !slide || slide === "vehicle") return [];
  const options = { ...search, slide: "vehicle", find: undefined };
  return [{ label: msg`Vehicle`, to: "/wiring", search: options }];
}
