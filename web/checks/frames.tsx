/** What stands on the screen until the script has drawn the page: its bar, its words and its shape, as a picture of it. */
import type { ReactNode } from "react";
import { CartIcon, MenuIcon, SearchIcon } from "../src/shared/ui/pictures/icons.tsx";
import { Mark } from "../src/shared/ui/pictures/mark.tsx";

/** A text of the portal in every language; the build fails when the portal has no such text. */
export type Say = (text: string) => ReactNode;

const BRAND = (
  <span className="first-brand">
    <Mark />
    <b>Turnkey</b>
  </span>
);

/** By the folder of a route's file: `_plain` and the others. */
export function bars(say: Say): Record<string, ReactNode> {
  const login = <span className="first-login first-guest">{say("Login")}</span>;
  const menu = (
    <span className="first-menu">
      <MenuIcon />
    </span>
  );
  return {
    _plain: <Framed bar={BRAND} />,
    _task: (
      <Framed
        bar={
          <>
            <span className="first-menu first-always">
              <MenuIcon />
            </span>
            <Mark />
            <b className="first-wide">Turnkey</b>
            <i />
            {login}
          </>
        }
        below={<Cookies say={say} />}
      />
    ),
    _checkout: <Framed bar={BRAND} />,
    _print: <main />,
    _default: (
      <Framed
        bar={
          <>
            {menu}
            {BRAND}
            <i />
            <span className="first-icon">
              <SearchIcon />
            </span>
            <span className="first-icon">
              <CartIcon />
            </span>
            {login}
          </>
        }
        search={
          <div className="first-search">
            <div />
          </div>
        }
        below={<Cookies say={say} />}
      />
    ),
  };
}

/** By the route's path; what is not here has the shape of any page. */
export function shapes(say: Say): Record<string, ReactNode> {
  const listed = (title: string) => (
    <>
      <Title>{say(title)}</Title>
      <Cards />
    </>
  );
  const read = (title: string) => (
    <>
      <Title>{say(title)}</Title>
      <Panel />
    </>
  );
  return {
    "/": SHAPE,
    "/login": (
      <div className="first-card">
        <div className="first-panel">
          <Title>{say("Log in")}</Title>
          <p className="first-lead">{say("For dealers, installers and sales reps.")}</p>
          <Field label={say("Email")} />
          <Field label={say("Password")} />
          <div className="first-check">
            <i />
            <div>
              {say("Remember me on this device")}
              <small>
                {say(
                  "Leave this off on a shared computer: closing or reloading the page then logs you out.",
                )}
              </small>
            </div>
          </div>
          <p className="first-press">{say("Log in")}</p>
          <p className="first-below">
            <span className="first-link">{say("Forgot password?")}</span>
          </p>
        </div>
        <p className="first-below">
          {say("New here? <0>Register</0> or <1>ask to become a dealer</1>.")}
          <br />
          {say("No account? <0>Activate a device as a guest</0>")}
        </p>
      </div>
    ),
    "/activation": (
      <>
        <Title>{say("Set Serial Number")}</Title>
        <div className="first-columns">
          <div className="first-panel">
            <Field
              label={say("Serial number")}
              about={say("On the label of the device, for example FT-X1-00000042")}
            />
            <p className="first-way">{say("Scan the serial number")}</p>
            <div className="first-guest">
              <Field
                label={say("Last 5 digits of the SIM (ICCID)")}
                about={say("Shows that you hold the device. They stand under the serial number.")}
              />
            </div>
            <div className="first-member">
              <Field
                label={say("Last 5 digits of the SIM (ICCID), optional")}
                about={say("They stand under the serial number.")}
              />
            </div>
            <p className="first-way">{say("Scan the SIM number")}</p>
            <p className="first-press first-send">{say("Continue")}</p>
          </div>
          <div className="first-bone first-device" />
        </div>
      </>
    ),
    "/search": (
      <>
        <Title>{say("Products")}</Title>
        <div className="first-found">
          <div>{BONES}</div>
          <div>
            <div className="first-bone first-head" />
            <Cards />
          </div>
        </div>
      </>
    ),
    "/deals": listed("Deals"),
    "/privacy-policy": read("Privacy Policy"),
    "/return-policy": read("Return Policy"),
    "/terms": read("Terms & Conditions"),
    "/shipping": read("Shipping"),
    "/company-info": read("Company Info"),
    "/contact-us": read("Contact Us"),
  };
}

const BONES = (
  <>
    <div className="first-bone" />
    <div className="first-bone" />
    <div className="first-bone" />
  </>
);

/** Any page's. */
export const SHAPE = (
  <>
    <div className="first-bone first-title" />
    <Panel />
  </>
);

/** What stands there once the script cannot be had: no picture of anything, and a link to the same address. */
export function failed(say: Say): ReactNode {
  return (
    <Framed bar={BRAND}>
      <div className="first-failed" role="alert">
        <h1 className="first-h1">{say("Application Error")}</h1>
        <p className="first-lead">
          {say(
            "The site has run into an error and cannot display this page at this time. Please check back soon or contact support for more help",
          )}
        </p>
        <p>
          {/* biome-ignore lint/a11y/useValidAnchor: the page's own address, whichever it is */}
          <a className="first-press" href="">
            {say("Try again")}
          </a>
        </p>
      </div>
    </Framed>
  );
}

type FramedProps = { bar: ReactNode; search?: ReactNode; below?: ReactNode; children?: ReactNode };

function Framed({ bar, search, below, children }: FramedProps) {
  return (
    <>
      <div className="first-bar">
        <div>{bar}</div>
      </div>
      {search}
      <main>{children}</main>
      {below}
    </>
  );
}

function Title({ children }: { children: ReactNode }) {
  return <div className="first-h1">{children}</div>;
}

function Panel() {
  return <div className="first-panel">{BONES}</div>;
}

function Cards() {
  return (
    <div className="first-cards">
      {["one", "two", "three", "four"].map((card) => (
        <div key={card} className="first-panel">
          <div className="first-bone first-picture" />
          <div className="first-bone" />
        </div>
      ))}
    </div>
  );
}

function Field({ label, about }: { label: ReactNode; about?: ReactNode }) {
  return (
    <div className="first-field">
      <b>{label}</b>
      {about ? <small>{about}</small> : null}
      <div />
    </div>
  );
}

function Cookies({ say }: { say: Say }) {
  return (
    <div className="first-cookies first-guest">
      <p>
        {say(
          "May we count your visit? It helps us see what is used. More in the <0>Privacy Policy</0>.",
        )}
      </p>
      <div>
        <span className="first-way">{say("Decline")}</span>
        <span className="first-press">{say("Accept")}</span>
      </div>
    </div>
  );
}
