import { useLingui } from "@lingui/react/macro";
import { useSyncExternalStore } from "react";
import { chooseLanguage, type Language } from "~/i18n/language";
import { client } from "~/shared/api/client";
import { personOf, session, workOf } from "~/shared/session/session";
import { type AppearanceChoice, appearance, chooseAppearance, onAppearance } from "./appearance";
import { Choice } from "./choice";
import classes from "./preferences.module.css";

/** One thing that can be chosen for this device, and what it is. */
export type Preference<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Language and light or dark, remembered on this device. */
export function usePreferences() {
  const { t, i18n } = useLingui();
  const chosen = useSyncExternalStore(onAppearance, appearance);
  const language: Preference<Language> = {
    label: t`Language`,
    value: i18n.locale as Language,
    options: [
      { value: "en", label: "English" },
      { value: "fr", label: "Français" },
    ],
    onChange: (next) => {
      tell(next);
      void chooseLanguage(next);
    },
  };
  const look: Preference<AppearanceChoice> = {
    label: t`Appearance`,
    value: chosen,
    options: [
      { value: "auto", label: t`Like the system` },
      { value: "light", label: t`Light` },
      { value: "dark", label: t`Dark` },
    ],
    onChange: chooseAppearance,
  };
  return { language, look };
}

/** Whoever is signed in is also written to in it: from their next sign-in on where it is lost here, or they act for a business. */
function tell(language: Language): void {
  const now = session();
  const [id, work] = [personOf(now), workOf(now)];
  if (id === undefined || (work?.must_choose && work.business)) return;
  const told = client.PATCH("/v1/user/{id}", { params: { path: { id } }, body: { language } });
  told.catch(() => undefined);
}

/** Both as lists. `inline` is for a line: the lists say what they are. */
export function Preferences({ inline = false }: { inline?: boolean }) {
  const { language, look } = usePreferences();
  return (
    <div className={`${classes.row} ${inline ? classes.inline : ""}`}>
      <Choice {...language} />
      <Choice {...look} />
    </div>
  );
}
