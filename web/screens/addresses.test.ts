import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { messages } from "~/i18n/fr.po";
import { SCREENS, screenOf } from "~/shared/navigation/routes";
import { ADDRESSES, nameOf } from "./addresses";
import { inFrench, titleOf } from "./titles";

test("every screen has an address at which it is looked at, and none that is gone has one", () => {
  expect(Object.keys(ADDRESSES).sort()).toEqual(Object.keys(SCREENS).sort());
});

test("each address is one of its own screen, and its picture has a name of its own", () => {
  for (const [path, { to }] of Object.entries(ADDRESSES))
    expect(screenOf(to.split(/[?#]/)[0]?.replaceAll(/[{}]/g, "") ?? ""), path).toBe(SCREENS[path]);
  expect(new Set(Object.keys(ADDRESSES).map(nameOf)).size).toBe(Object.keys(ADDRESSES).length);
});

test("what a visitor may not open is looked at by somebody", () => {
  for (const [path, { as }] of Object.entries(ADDRESSES)) {
    const { access, guard } = SCREENS[path] ?? {};
    if (access === "login") expect(as, path).not.toBe("visitor");
    expect(as === "administrator", path).toBe(guard === "administrators");
  }
});

test("journeys know what each screen is called, and in French", () => {
  i18n.loadAndActivate({ locale: "fr", messages });
  for (const [path, { title }] of Object.entries(SCREENS)) {
    expect(titleOf(path), path).toBe(title.message);
    expect(inFrench(titleOf(path)), path).toBe(i18n._(title));
  }
});
