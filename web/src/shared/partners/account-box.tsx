import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { useSession, workOf } from "~/shared/session/session";
import { Panel } from "~/shared/ui/panel";
import classes from "./account-box.module.css";
import { partnerQuery } from "./queries";

/** What the business owes and may still owe, and its invoices. Nothing for whoever sees it without its money. */
export function AccountBox() {
  const { t, i18n } = useLingui();
  const now = useSession();
  const own = now.state === "anonymous" ? undefined : now.user.partner_code;
  const code = workOf(now)?.business?.code ?? own ?? "";
  const { data } = useQuery({ ...partnerQuery(code), enabled: code !== "" });
  if (data?.accountBalance == null || data.creditLimit == null) return null;
  const late = data.pastDueInvoices ?? 0;
  const invoices = data.invoices?.totalCount ?? 0;
  return (
    <Panel className={classes.box} aria-label={t`Account`}>
      <dl>
        <div>
          <dt>
            <Trans>Account balance</Trans>
          </dt>
          <dd>{dollars(i18n, data.accountBalance)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Credit limit</Trans>
          </dt>
          <dd>{dollars(i18n, data.creditLimit)}</dd>
        </div>
        {data.availableCredit == null ? null : (
          <div>
            <dt>
              <Trans>Available credit</Trans>
            </dt>
            <dd>{dollars(i18n, data.availableCredit)}</dd>
          </div>
        )}
        <div>
          <dt>
            <Trans>Past due</Trans>
          </dt>
          <dd className={late > 0 ? classes.late : undefined}>
            <Link to="/invoice/{-$id}" params={{ id: undefined }} search={{ status: "past_due" }}>
              <Count count={late} />
            </Link>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Invoices</Trans>
          </dt>
          <dd>
            <Link to="/invoice/{-$id}" params={{ id: undefined }}>
              <Count count={invoices} />
            </Link>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function Count({ count }: { count: number }) {
  return <Plural value={count} one="# invoice" other="# invoices" />;
}
