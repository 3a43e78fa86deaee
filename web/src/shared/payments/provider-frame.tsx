import { useLingui } from "@lingui/react/macro";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { EntryProps, Taken } from "./card-entry";
import classes from "./card-frame.module.css";

type Said =
  | { type: "ready" }
  | { type: "change"; complete?: boolean; error?: string | null }
  | { type: "error"; detail?: string }
  | { type: "token"; paymentMethod: Taken };

type Waiting = { resolve: (taken: Taken) => void; reject: (cause: Error) => void };

type ProviderFrameProps = EntryProps & { url: string; publicKey: string };

/** The provider's page in a frame of its own origin: the number is typed there, and only its token comes out. */
export function ProviderFrame({ url, publicKey, onReady, onFault }: ProviderFrameProps) {
  const { t, i18n } = useLingui();
  // At once: a theme that is known only after the first picture loads the page of the frame twice.
  const theme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const frame = useRef<HTMLIFrameElement>(null);
  const told = useRef({ onReady, onFault });
  told.current = { onReady, onFault };
  const origin = new URL(url).origin;
  const query = new URLSearchParams({
    key: publicKey,
    locale: i18n.locale,
    theme,
    origin: window.location.origin,
  });

  useEffect(() => {
    let waiting: Waiting | undefined;
    function submit(billing: object): Promise<Taken> {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        frame.current?.contentWindow?.postMessage({ type: "submit", ...billing }, origin);
      });
    }
    function hear(event: MessageEvent<Said>) {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const said = event.data;
      if (said.type === "ready") told.current.onReady(submit);
      if (said.type === "token") waiting?.resolve(said.paymentMethod);
      if (said.type === "error") waiting?.reject(new Error(said.detail ?? ""));
      if (said.type === "change") told.current.onFault(said.error ?? "");
    }
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [origin]);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      src={`${url}?${query}`}
      title={t`Card number, expiry and security code`}
    />
  );
}
