import type { SignedInUser } from "~/shared/session/session";
import classes from "./layout.module.css";

/** The person's picture, or their initials. */
export function Avatar({ user }: { user: SignedInUser }) {
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
