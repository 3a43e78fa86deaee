import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { seesMoney } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./account-box.module.css";
import { type BusinessPartner, useOwnBusiness } from "./queries";

const AWAITED = "…";

/** What the business owes and may still owe, and its invoices. Nothing for whoever sees it without its money. */
export function AccountBox() {
  const { t } = useLingui();
  const now = useSession();
  const { data, isLoading } = useOwnBusiness();
  const awaited = isLoading && seesMoney(now);
  if (!awaited && (data?.accountBalance == null || data.creditLimit == null)) return null;
  return (
    <Panel className={classes.box} aria-label={t`Account`} aria-busy={awaited}>
      <Figures of={data} />
    </Panel>
  );
}

/** While they are awaited each has its place. */
function Figures({ of }: { of: BusinessPartner | undefined }) {
  const { i18n } = useLingui();
  const money = (amount: number | null | undefined) =>
    amount == null ? AWAITED : dollars(i18n, amount);
  const late = of?.pastDueInvoices ?? 0;
  return (
    <dl>
      <div>
        <dt>
          <Trans>Account balance</Trans>
        </dt>
        <dd>{money(of?.accountBalance)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Credit limit</Trans>
        </dt>
        <dd>{money(of?.creditLimit)}</dd>
      </div>
      {of && of.availableCredit == null ? null : (
        <div>
          <dt>
            <Trans>Available credit</Trans>
          </dt>
          <dd>{money(of?.availableCredit)}</dd>
        </div>
      )}
      <div>
        <dt>
          <Trans>Past due</Trans>
        </dt>
        <dd className={late > 0 ? classes.late : undefined}>
          <Link to="/invoice/{-$id}" params={{ id: undefined }} search={{ status: "past_due" }}>
            {of ? <Count count={late} /> : AWAITED}
          </Link>
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Invoices</Trans>
        </dt>
        <dd>
          <Link to="/invoice/{-$id}" params={{ id: undefined }}>
            {of ? <Count count={of.invoices?.totalCount ?? 0} /> : AWAITED}
          </Link>
        </dd>
      </div>
    </dl>
  );
}

function Count({ count }: { count: number }) {
  return <Plural value={count} one="# invoice" other="# invoices" />;
}
