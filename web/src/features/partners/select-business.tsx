import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";
import { useSession, workOf } from "~/shared/session/session";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { chooseBusiness, clearBusiness } from "./choose";
import { PartnerList } from "./partner-list";
import { partnersQuery } from "./queries";
import classes from "./select-business.module.css";
import { whyNotChosen } from "./why-not-chosen";

/** Select Business (shell spec 4): search, choose, confirm. It stays open while partners load or a choice is under way. */
export default function SelectBusiness({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const present = workOf(useSession())?.business ?? undefined;
  const [term, setTerm] = useState("");
  const [search] = useDebouncedValue(term.trim(), CONSTANTS.businessSearchDebounce);
  const [picked, setPicked] = useState(present?.code);
  // A hundred more at a time, so that thousands stay quick; another search begins with the first hundred.
  const [more, setMore] = useState({ search, count: CONSTANTS.partnerPageSize as number });
  const { busy, problem, send } = useSend();
  const refusal = problem && whyNotChosen(problem);
  const found = useInfiniteQuery(partnersQuery(search));

  // The first page shows at once; the others follow in the background, one after the other.
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = found;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);

  const pages = found.data?.pages ?? [];
  const known = pages[0]?.totalCount ?? 0;
  const recent = pages[0]?.recent ?? [];
  const partners = pages
    .flatMap(({ edges }) => edges.map(({ node }) => node))
    .filter(({ id }) => !recent.some((one) => one.id === id));
  const count = more.search === search ? more.count : CONSTANTS.partnerPageSize;
  const others = partners.slice(0, count);
  const isLookedUp = term.trim() !== search;
  // Whoever is not in the list is not chosen, whatever was picked in the one before.
  const chosen = [...recent, ...others].find(({ sapBpCode }) => sapBpCode === picked)?.sapBpCode;

  // A page that fails, or waits for a signal, keeps nobody here.
  const loading = (found.isPending || hasNextPage) && !isError && found.fetchStatus !== "paused";
  const kept = busy || loading;

  const isNew = chosen !== undefined && chosen !== present?.code;

  async function attempt(change: (key: string) => Promise<void>, code?: string) {
    const refused = await send(change, [code]);
    if (refused) setPicked(present?.code);
    else onClose();
  }

  function confirm(event: FormEvent) {
    event.preventDefault();
    if (isNew && !isLookedUp && !busy) void attempt((key) => chooseBusiness(chosen, key), chosen);
  }

  return (
    <Dialog busy={kept} onClose={onClose} size={CONSTANTS.modalMaxWidth} title={t`Select Business`}>
      <form className={classes.form} onSubmit={confirm}>
        {refusal ? (
          <Note tone="fail">{typeof refusal === "string" ? refusal : i18n._(refusal)}</Note>
        ) : null}
        <TextInput
          size="md"
          type="search"
          data-autofocus
          label={t`Search by business name or code`}
          autoComplete="off"
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
        />
        <p className={classes.state} role="status">
          {loading ? <Trans>Loading {known} business partners</Trans> : null}
        </p>
        {found.isError ? (
          <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : null}
        {found.isSuccess && recent.length + partners.length === 0 ? (
          <p role="status">
            <Trans>No results found</Trans>
          </p>
        ) : null}
        <PartnerList
          key={search}
          recent={recent}
          others={others}
          chosen={chosen}
          onChoose={setPicked}
          onMore={
            partners.length > count
              ? () => setMore({ search, count: count + CONSTANTS.partnerPageSize })
              : undefined
          }
        />
        <div className={classes.actions}>
          <Button
            variant="default"
            size="md"
            disabled={kept}
            title={kept ? t`Please wait until the present action is finished.` : undefined}
            onClick={onClose}
          >
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            size="md"
            loading={busy}
            disabled={!isNew || isLookedUp}
            title={isNew ? undefined : t`Choose a business first`}
          >
            <Trans>Confirm</Trans>
          </Button>
        </div>
        {present ? (
          <Button
            variant="subtle"
            size="md"
            disabled={busy}
            onClick={() => void attempt(clearBusiness)}
          >
            <Trans>Clear Selected Business</Trans>
          </Button>
        ) : null}
      </form>
    </Dialog>
  );
}
