import { answered, client, type Schemas } from "~/shared/api/client";
import { askedAhead } from "./asked-ahead";
import { amend, end, session } from "./session";

/** The initial state: who is signed in and for which business they work. Says nothing for visitors. */
export async function loadWork(): Promise<void> {
  if (session().state !== "signed-in") return;
  const { user, business, impersonated, must_choose } =
    (await worksAhead()) ?? (await answered(client.GET("/v1/auth/user", {})));
  amend({ user, work: { business, impersonated, must_choose } });
}

async function worksAhead(): Promise<Schemas["Me"] | undefined> {
  const answer = (await askedAhead("user")?.catch(() => false as const)) || undefined;
  return answer?.ok ? answer.json() : undefined;
}

/** What a tab tells the others. */
export type News = { kind: "business" | "signed-out"; userId: string };

export const others =
  typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("turnkey");

/** Tells the person's other tabs, which share the sign-in. */
export function tellOtherTabs(kind: News["kind"]): void {
  const now = session();
  if (now.state !== "anonymous") others?.postMessage({ kind, userId: now.user.id } satisfies News);
}

/** A sign-out in one tab acts in the others. */
export function listenToOtherTabs(): void {
  others?.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (data.kind === "signed-out" && isOurs(data)) end("elsewhere");
  });
}

/** Whether it is of the sign-in that the tabs share: one with a sign-in of its own stays. */
export function isOurs({ userId }: News): boolean {
  const now = session();
  return now.state === "signed-in" && now.user.id === userId && !now.refreshToken;
}
