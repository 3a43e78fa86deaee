import { useLingui } from "@lingui/react/macro";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import type { EntryProps, Taken } from "./card-entry";
import classes from "./card-frame.module.css";

type Said =
  | { type: "ready" }
  | { type: "change"; complete?: boolean; error?: string | null }
  | { type: "error"; detail?: string }
  | { type: "token"; paymentMethod: Taken };

type Waiting = { resolve: (taken: Taken) => void; reject: (cause: Error) => void };

type ProviderFrameProps = EntryProps & { url: string; publicKey: string };

/** The provider's page in a frame of its own origin: the number is typed there, and only its token comes out. A theme that changes
 * meanwhile is told to it, so that what was typed stays. */
export function ProviderFrame({ url, publicKey, onReady, onFault }: ProviderFrameProps) {
  const { t, i18n } = useLingui();
  // At once: a theme that is known only after the first picture loads the page of the frame twice.
  const theme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const frame = useRef<HTMLIFrameElement>(null);
  const { locale } = i18n;
  const { origin } = new URL(url);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is told to the page that stands there
  const src = useMemo(() => {
    const around = window.location.origin;
    return `${url}?${new URLSearchParams({ key: publicKey, locale, theme, origin: around })}`;
  }, [url, publicKey, locale]);
  const [ready, setReady] = useState("");
  const told = useRef({ onReady, onFault, src });
  told.current = { onReady, onFault, src };

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
      if (said.type === "ready") {
        setReady(told.current.src);
        told.current.onReady(submit);
      }
      if (said.type === "token") waiting?.resolve(said.paymentMethod);
      if (said.type === "error") waiting?.reject(new Error(said.detail ?? ""));
      if (said.type === "change") told.current.onFault(said.error ?? "");
    }
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [origin]);

  useEffect(() => {
    if (ready === src) frame.current?.contentWindow?.postMessage({ type: "theme", theme }, origin);
  }, [ready, src, theme, origin]);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      src={src}
      title={t`Card number, expiry and security code`}
    />
  );
}
