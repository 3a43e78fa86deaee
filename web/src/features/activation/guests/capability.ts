import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { carried, carry } from "~/shared/session/session";

/** The secret of a guest's link stays in the address and in memory; leaving the page drops it. */
export function useCapability(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const secret = new URLSearchParams(hash).get("resume") ?? undefined;
  const [known, setKnown] = useState(() => {
    if (secret) carry(secret);
    return carried();
  });
  useEffect(() => {
    if (secret) carry(secret);
    setKnown(carried());
  }, [secret]);
  useEffect(() => () => carry(undefined), []);
  return known;
}
