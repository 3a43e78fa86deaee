import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { LinePicture } from "~/shared/catalogue/line-picture";
import { useBrands } from "~/shared/catalogue/lists";
import { dollars } from "~/shared/catalogue/money";
import { LineItem, LineItems } from "~/shared/ui/lists/line-item";
import { Status } from "~/shared/ui/notes/status";
import type { Order } from "../queries";
import classes from "./lines.module.css";

type Line = Order["lines"][number];

/** What was ordered, at the prices of then, and how much of it has left. */
export function Lines({ order }: { order: Order }) {
  const { t, i18n } = useLingui();
  const brands = useBrands();
  return (
    <section aria-labelledby="order-lines" className={classes.section}>
      <h2 id="order-lines">
        <Trans>Products</Trans>
      </h2>
      <LineItems aria-label={t`Products of the order`}>
        {order.lines.map((line, place) => (
          <LineItem
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their places, and one SKU may stand in two
            key={place}
            picture={
              <LinePicture url={line.image.url} name={line.name} sku={line.sku} brands={brands} />
            }
            name={
              <Link to="/product/{-$id}" params={{ id: line.productId }}>
                {line.name}
              </Link>
            }
            code={line.sku}
            count={
              <>
                {i18n.number(line.quantity)} × {dollars(i18n, line.unitPrice.net.amount)}
              </>
            }
            amount={dollars(i18n, line.totalPrice.net.amount)}
          >
            {line.vehicle ? (
              <small>
                <Trans>For {line.vehicle}</Trans>
              </small>
            ) : null}
            {order.status === "cancelled" ? null : <Sent line={line} />}
            {line.expectedOn ? <Expected day={line.expectedOn} /> : null}
            <Came line={line} order={order} />
          </LineItem>
        ))}
      </LineItems>
    </section>
  );
}

function Sent({ line }: { line: Line }) {
  const { quantity, shipped, following: left } = line;
  const later = Math.min(line.later, left);
  const never = quantity - shipped - left;
  return (
    <>
      {left > 0 ? (
        <Status tone="wait">
          {shipped > 0 ? (
            <Trans>
              {shipped} shipped, {left} to come
            </Trans>
          ) : later > 0 ? (
            <Trans>{later} on backorder</Trans>
          ) : (
            <Trans>Not shipped yet</Trans>
          )}
        </Status>
      ) : shipped > 0 ? (
        <Status tone="ok">
          {never > 0 ? (
            <Plural value={shipped} one="# shipped" other="# shipped" />
          ) : (
            <Trans>Shipped</Trans>
          )}
        </Status>
      ) : null}
      {never > 0 ? (
        <small>
          <Plural value={never} one="# piece will not be sent" other="# pieces will not be sent" />
        </small>
      ) : null}
    </>
  );
}

/** When what is on backorder comes to the warehouse. */
function Expected({ day }: { day: string }) {
  const { i18n } = useLingui();
  const date = i18n.date(`${day}T12:00:00`, { dateStyle: "medium" });
  return (
    <small>
      <Trans>Expected {date}</Trans>
    </small>
  );
}

/** Which shipments brought something of it, and when. */
function Came({ line, order }: { line: Line; order: Order }) {
  const { i18n } = useLingui();
  return order.shipments.map(({ number, carrier, shippedAt, parcels }) => {
    const pieces = parcels.find(({ sku }) => sku === line.sku)?.quantity;
    if (pieces === undefined) return null;
    const day = i18n.date(shippedAt, { dateStyle: "medium" });
    return (
      <small key={number}>
        {carrier ? (
          <Trans>
            {pieces} on {day} by {carrier}
          </Trans>
        ) : (
          <Trans>
            {pieces} on {day}
          </Trans>
        )}
      </small>
    );
  });
}
