import { Trans } from "@lingui/react/macro";
import type { SignedInUser, Work } from "~/shared/session/session";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import classes from "../layout.module.css";

const PersonLinks = fetchedDialog(() => import("./person-links"));

export type PersonMenuProps = {
  user: SignedInUser;
  work: Work | undefined;
  /** Is told what it was asked by. */
  onSelectBusiness: (button: HTMLElement | null) => void;
};

/** Who is signed in; their links open below. */
export function PersonMenu(props: PersonMenuProps) {
  const { user } = props;
  const { wanted, below, button } = useOpener("menu");
  return (
    <>
      <button type="button" className={classes.person} {...button}>
        <Avatar user={user} />
        <span>
          <Trans>Hi, {user.first_name}</Trans>
        </span>
      </button>
      {wanted ? <PersonLinks {...props} {...below} /> : null}
    </>
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
