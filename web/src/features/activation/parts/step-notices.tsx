import { Trans } from "@lingui/react/macro";
import { Problem } from "~/shared/api/errors";
import { useSession } from "~/shared/session/session";
import { Note, ProblemNote } from "~/shared/ui/note";
import type { Run } from "../session-hook";
import { GuestLink } from "./guest-link";

/** What the person should know before acting: a failure of the step, somebody else at work, a guest's link. */
export function StepNotices({ run }: { run: Run }) {
  const { view } = run.answer;
  const present = useSession();
  const mine = present.state !== "anonymous" && view.owner_id === present.user.id;
  return (
    <>
      {view.error && !run.problem ? (
        <ProblemNote
          problem={new Problem(409, { code: view.error.code, detail: view.error.detail })}
        />
      ) : null}
      {!mine && !view.guest && present.state !== "anonymous" ? (
        <Note tone="plain">
          <Trans>
            This activation belongs to {view.owner}. What you do here shows on their screen too.
          </Trans>
        </Note>
      ) : null}
      {view.guest && present.state === "anonymous" ? <GuestLink /> : null}
    </>
  );
}
