import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Problem } from "~/shared/api/errors";
import { Note } from "~/shared/ui/notes/note";

/** Of too many wrong tries, and of a locked account: a new password lifts both. */
const LIFTED: readonly string[] = ["too_many_attempts", "reset_required"];

type WayOutProps = { problem: Problem | undefined; username: string };

/** What helps at once where a sign-in is refused so. */
export function WayOut({ problem, username }: WayOutProps) {
  if (!problem || !LIFTED.includes(problem.code)) return null;
  return (
    <Note tone="wait">
      <Link to="/forgot-password" state={{ username }}>
        <Trans>Reset the password now</Trans>
      </Link>
    </Note>
  );
}
