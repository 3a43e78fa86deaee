import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Panel } from "~/shared/ui/panel";
import type { Order } from "../queries";
import { EVENT_WORDS } from "../words";
import classes from "./shipments.module.css";

type Shipment = Order["shipments"][number];

/** The parcels with their tracking numbers, and what happened when. */
export function Shipments({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const time = (at: string) => i18n.date(at, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      {order.shipments.length > 0 ? (
        <section aria-labelledby="order-shipments" className={classes.section}>
          <h2 id="order-shipments">
            <Trans>Shipments</Trans>
          </h2>
          <ul className={classes.list}>
            {order.shipments.map((shipment) => {
              const pieces = shipment.parcels.reduce((sum, { quantity }) => sum + quantity, 0);
              return (
                <li key={shipment.number}>
                  <Panel className={classes.shipment}>
                    <strong>
                      <SentBy shipment={shipment} />
                    </strong>
                    <span>
                      {time(shipment.shippedAt)},{" "}
                      <Plural value={pieces} one="# piece" other="# pieces" />
                    </span>
                    <small>
                      {shipment.parcels
                        .map(({ sku, quantity }) => `${i18n.number(quantity)} × ${sku}`)
                        .join(", ")}
                    </small>
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
