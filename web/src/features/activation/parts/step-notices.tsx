import { Trans } from "@lingui/react/macro";
import { Problem } from "~/shared/api/errors";
import { useSession } from "~/shared/session/session";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { GuestLink } from "../guests/guest-link";
import type { Run } from "../session-hook";
import type { ActivationView } from "../types";

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
      {view.held ? (
        <Note tone="plain">
          {view.kept ? (
            <Trans>
              Kept. The device is installing its firmware; this is written as soon as it is back.
              You can close this page meanwhile, or change it before it is written.
            </Trans>
          ) : (
            <Trans>
              Kept. The device is installing its firmware; this is sent as soon as it is back. You
              can close this page meanwhile, or take it back before it is sent.
            </Trans>
          )}
        </Note>
      ) : null}
      {!mine && !view.guest && present.state !== "anonymous" ? (
        <Note tone="plain">
          <Trans>
            This activation belongs to {view.owner}. What you do here shows on their screen too.
          </Trans>
        </Note>
      ) : null}
      {view.handed && view.handed.step === view.step ? <Handed handed={view.handed} /> : null}
      {view.guest && present.state === "anonymous" ? <GuestLink /> : null}
    </>
  );
}

/** Who handed it over here, with which words, and whether it goes back. */
function Handed({ handed }: { handed: NonNullable<ActivationView["handed"]> }) {
  const { by, note, only_to_pay } = handed;
  return (
    <Note tone="plain">
      {only_to_pay ? (
        <Trans>{by} handed it over only to be paid. It goes back by itself.</Trans>
      ) : (
        <Trans>{by} handed it over here.</Trans>
      )}
      {note ? (
        <>
          {" "}
          <q>{note}</q>
        </>
      ) : null}
    </Note>
  );
}
