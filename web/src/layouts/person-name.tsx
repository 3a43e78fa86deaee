import { Trans } from "@lingui/react/macro";
import { type SignedInUser, useSession } from "~/shared/session/session";
import classes from "./layout.module.css";

/** Who is signed in, with their picture. */
export function PersonName({ user }: { user: SignedInUser }) {
  return (
    <>
      <Avatar user={user} />
      <span>
        <Trans>Hi, {user.first_name}</Trans>
      </span>
    </>
  );
}

/** The room of their menu, until that is there. */
export function PersonPlace() {
  const now = useSession();
  if (now.state === "anonymous") return null;
  return (
    <span className={classes.person} aria-hidden="true">
      <PersonName user={now.user} />
    </span>
  );
}

/** The person's picture, or their initials. */
function Avatar({ user }: { user: SignedInUser }) {
  if (user.image?.startsWith("/")) {
    return <img src={user.image} alt="" className={classes.avatar} width={36} height={36} />;
  }
  return (
    <span className={classes.avatar} aria-hidden="true">
      {user.first_name.slice(0, 1)}
      {user.last_name.slice(0, 1)}
    </span>
  );
}
