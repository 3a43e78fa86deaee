import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Age, Remaining } from "~/shared/time/age";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import { type Retrying, type Run, tryAgain } from "../queries";
import { inWords, SYSTEM_WORDS } from "../words";

/** What is tried again for a run: which part has to answer, what it last said, when it is asked next. */
export function RetryingPanel({ run, retrying }: { run: Run; retrying: readonly Retrying[] }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { busy, problem, done, send } = useSend();

  function now() {
    void send(async () => {
      await tryAgain(run);
      await queries.invalidateQueries({ predicate: below("/v1/operations") });
    }, [run.kind, run.id, done]);
  }

  if (retrying.length === 0) return null;
  return (
    <Panel aria-label={t`Trying again and again`}>
      <div className={classes.settle}>
        <h2>
          <Trans>Trying again and again</Trans>
        </h2>
        <ul className={classes.retrying}>
          {retrying.map((one) => (
            <li key={one.activity}>
              <Tried one={one} since={run.updated_at} />
            </li>
          ))}
        </ul>
        <ProblemNote problem={problem} />
        {done > 0 ? (
          <Note tone="ok">
            <Trans>It is being tried now.</Trans>
          </Note>
        ) : null}
        <Button size="md" variant="default" loading={busy} onClick={now}>
          <Trans>Try now</Trans>
        </Button>
      </div>
    </Panel>
  );
}

function Tried({ one, since }: { one: Retrying; since: string }) {
  const { activity, attempt, failure, next_at, parts, request_id: named } = one;
  return (
    <>
      <strong>{activity}</strong>
      <span>
        <Trans>
          try {attempt}, in this state since <Age since={since} />
        </Trans>
        {next_at ? (
          <>
            {" · "}
            <Trans>
              next try in <Remaining until={next_at} />
            </Trans>
          </>
        ) : null}
      </span>
      {failure ? <span>{failure}</span> : null}
      {named ? (
        <span>
          <Trans>
            They call the request <code>{named}</code>
          </Trans>
        </span>
      ) : null}
      {parts.map((part) => (
        <PartState key={part.name} part={part} />
      ))}
    </>
  );
}

/** How the part that has to answer answered of late, whoever asked. */
function PartState({ part }: { part: Retrying["parts"][number] }) {
  const { i18n } = useLingui();
  const { name, last_ok_at: ok, last_failed_at: failed, reason } = part;
  const isWell = ok !== null && (failed === null || ok > failed);
  return (
    <span>
      <Status tone={isWell ? "ok" : "fail"}>{inWords(i18n, SYSTEM_WORDS, name)}</Status>{" "}
      {failed ? (
        <Trans>
          last failure <Age since={failed} />: <span lang="en">{reason}</span>
        </Trans>
      ) : null}{" "}
      {ok ? (
        <Trans>
          answered last <Age since={ok} />
        </Trans>
      ) : null}
    </span>
  );
}
