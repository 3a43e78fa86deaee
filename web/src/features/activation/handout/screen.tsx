import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { CopyLink } from "~/shared/ui/buttons/copy-link";
import { ProblemNote } from "~/shared/ui/notes/note";
import { QrCode } from "~/shared/ui/pictures/qr-code";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { useCapability } from "../guests/capability";
import { NotYours } from "../guests/not-yours";
import { HandoutCard } from "./card";
import classes from "./handout.module.css";
import { type HandoutLink, handoutQuery, linkHandout, revokeHandoutLink } from "./queries";

/** The end of an activation, turned round to the car's owner: to show, to print, and to take along by a code. */
export function HandoutScreen({ id }: { id: string }) {
  useCapability();
  const found = useQuery(handoutQuery(id));
  if (found.data)
    return (
      <>
        <HandoutCard handout={found.data.handout}>
          <Take id={id} link={found.data.link} />
        </HandoutCard>
        <div className={classes.actions}>
          <Button size="lg" onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
          <Button
            size="lg"
            variant="default"
            renderRoot={(props) => (
              <Link to="/activation/device" search={{ id }} hash={true} {...props} />
            )}
          >
            <Trans>Back to the activation</Trans>
          </Button>
        </div>
      </>
    );
  if (found.isPending) return <PageSkeleton />;
  const problem = problemOf(found.error);
  if ([401, 403, 404, 422].includes(problem.status)) return <NotYours />;
  return (
    <div className={classes.refused}>
      <Heading>
        <Trans>For the Car's Owner</Trans>
      </Heading>
      <ProblemNote problem={problem} onRetry={() => void found.refetch()} />
    </div>
  );
}

/** The link as a code to scan, for whoever is signed in. */
function Take({ id, link }: { id: string; link: HandoutLink | null }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const known = useSession().state === "signed-in";
  const making = useSend<{ url: string }>();
  const revoking = useSend();
  const url = link ? making.answer?.url : undefined;
  const again = () => cache.invalidateQueries({ queryKey: handoutQuery(id).queryKey });
  if (!known) return null;
  return (
    <section className={classes.take}>
      <h2>
        <Trans>Take it along</Trans>
      </h2>
      {url ? (
        <>
          <div className={classes.code}>
            <QrCode text={url} label={t`Code of the link to this page`} />
          </div>
          <p>
            <Trans>Scan the code with a phone: this page stays readable for 90 days.</Trans>
          </p>
          <CopyLink url={url} label={t`Link to this page`} />
        </>
      ) : (
        <>
          <p className={classes.screenOnly}>
            <Trans>
              The owner can keep this page for 90 days, without an account. No price stands on it.
            </Trans>
          </p>
          <Button
            className={classes.screenOnly}
            size="md"
            variant="outline"
            loading={making.busy}
            onClick={() =>
              void making.send(async () => {
                const made = await linkHandout(id);
                await again();
                return made;
              })
            }
          >
            {link ? <Trans>Show the code again</Trans> : <Trans>Make a code</Trans>}
          </Button>
        </>
      )}
      {link ? (
        <p className={classes.screenOnly}>
          {link.opened_at ? (
            <Trans>
              Opened last <Age since={link.opened_at} />.
            </Trans>
          ) : (
            <Trans>Not opened yet.</Trans>
          )}{" "}
          <Button
            variant="subtle"
            size="md"
            loading={revoking.busy}
            onClick={() =>
              void revoking.send(async () => {
                await revokeHandoutLink(id);
                await again();
              })
            }
          >
            <Trans>Revoke the link</Trans>
          </Button>
        </p>
      ) : null}
      <ProblemNote problem={making.problem ?? revoking.problem} />
    </section>
  );
}
