import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { SCREENS, type Screen } from "~/shared/navigation/routes";
import { useSession } from "~/shared/session/session";
import { Dialog } from "~/shared/ui/dialog";
import classes from "./palette.module.css";

/** Go to a page by typing a part of its name. */
export default function PaletteModal({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const signedIn = useSession().state === "signed-in";
  const [term, setTerm] = useState("");
  const found = Object.entries(SCREENS)
    .filter(([path, screen]) => isPlace(path, screen, signedIn))
    .map(([path, screen]) => ({ path, title: i18n._(screen.title) }))
    .filter(({ title }) => title.toLowerCase().includes(term.trim().toLowerCase()));

  function go(path: string | undefined) {
    if (!path) return;
    onClose();
    void router.navigate({ to: path as "/" });
  }

  function walk(event: KeyboardEvent<HTMLElement>) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, li button")];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  }

  return (
    <Dialog onClose={onClose} title={t`Go to a page`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows walk; every stop is reached by Tab, too */}
      <div onKeyDown={walk}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            go(found[0]?.path);
          }}
        >
          <TextInput
            size="md"
            data-autofocus
            label={t`Page`}
            autoComplete="off"
            value={term}
            onChange={(event) => setTerm(event.currentTarget.value)}
          />
        </form>
        <p className="quiet" role="status">
          {t`${found.length} pages`}
        </p>
        <ul className={classes.pages}>
          {found.map(({ path, title }) => (
            <li key={path}>
              <button type="button" onClick={() => go(path)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** Pages that can be opened by themselves: not those of a mailed link, nor a flow's inner ones. */
function isPlace(
  path: string,
  { access, layout, guard, above }: Screen,
  signedIn: boolean,
): boolean {
  if (above || path.includes("$") || guard === "administrators") return false;
  if (layout === "no-auth") return path === (signedIn ? "/logout" : "/login");
  return signedIn || access !== "login";
}
