import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Panel } from "~/shared/ui/screens/panel";
import type { Order } from "../queries";
import { EVENT_WORDS } from "../words";
import classes from "./shipments.module.css";

type Shipment = Order["shipments"][number];

/** The parcels with their tracking numbers, what will not be sent and why, and what happened when. */
export function Shipments({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const time = (at: string) => i18n.date(at, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      {order.shipments.length + order.withdrawals.length > 0 ? (
        <section aria-labelledby="order-shipments" className={classes.section}>
          <h2 id="order-shipments">
            <Trans>Shipments</Trans>
          </h2>
          <ul className={classes.list}>
            {order.shipments.map((shipment) => {
              return (
                <li key={shipment.number}>
                  <Panel className={classes.shipment}>
                    <strong>
                      <SentBy shipment={shipment} />
                    </strong>
                    <Pieces at={time(shipment.shippedAt)} parcels={shipment.parcels} />
                    {shipment.invoiceNumber ? (
                      <span>
                        <Trans>Invoice</Trans>{" "}
                        <Link to="/invoice/{-$id}" params={{ id: shipment.invoiceNumber }}>
                          {shipment.invoiceNumber}
                        </Link>
                      </span>
                    ) : null}
                  </Panel>
                </li>
              );
            })}
            {order.withdrawals.map(({ number, withdrawnAt, parcels, reason }) => (
              <li key={number}>
                <Panel className={classes.shipment}>
                  <strong>{i18n._(EVENT_WORDS.withdrawn)}</strong>
                  <Pieces at={time(withdrawnAt)} parcels={parcels} />
                  <span lang="en">{reason}</span>
                </Panel>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <details className={classes.history}>
        <summary>
          <Trans>What happened when</Trans>
        </summary>
        <ol>
          {order.history.map(({ kind, at, note }) => (
            <li key={`${kind} ${at} ${note}`}>
              <time dateTime={at}>{time(at)}</time> {i18n._(EVENT_WORDS[kind])}
              {note ? ` (${note})` : ""}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** When, how many, and which. */
function Pieces({ at, parcels }: { at: string; parcels: Shipment["parcels"] }) {
  const { i18n } = useLingui();
  const pieces = parcels.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <>
      <span>
        {at}, <Plural value={pieces} one="# piece" other="# pieces" />
      </span>
      <small>
        {parcels.map(({ sku, quantity }) => `${i18n.number(quantity)} × ${sku}`).join(", ")}
      </small>
    </>
  );
}

/** Carrier and tracking number, as far as the ERP has told them. */
function SentBy({ shipment: { number, carrier, trackingNumber } }: { shipment: Shipment }) {
  if (!carrier && !trackingNumber) return <Trans>Shipment {number}</Trans>;
  if (!trackingNumber) return carrier;
  if (!carrier) return <Trans>Tracking number {trackingNumber}</Trans>;
  return (
    <Trans>
      {carrier}, tracking number {trackingNumber}
    </Trans>
  );
}
