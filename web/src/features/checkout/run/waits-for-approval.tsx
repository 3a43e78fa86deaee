import { Trans, useLingui } from "@lingui/react/macro";
import type { Changes } from "../changes";
import classes from "../checkout.module.css";
import { Changed } from "../parts/changed";
import type { PlacementAnswer } from "../types";
import type { PlacementRun } from "../use-placement";

/** For whoever ordered: who is asked, until when, what holds meanwhile. */
export function WaitsForApproval({ run }: { run: PlacementRun }) {
  const { i18n } = useLingui();
  const { approval } = run.answer.view;
  return (
    <>
      <p>
        <Trans>
          The owners of your business were asked by mail. Nothing is reserved or charged before one
          of them approves; you can fill another cart meanwhile.
        </Trans>
      </p>
      {approval?.reason ? (
        <p className={classes.soft}>
          <Trans>Your reason: {approval.reason}</Trans>
        </p>
      ) : null}
      {approval ? (
        <p className={classes.soft}>
          <Trans>
            It waits until {i18n.date(approval.until, { dateStyle: "medium" })}; after that your
            cart is back.
          </Trans>
        </p>
      ) : null}
    </>
  );
}

/** Prices or stock changed while it waited: nothing goes on before the requester's yes. */
export function AgreeAgain({ run }: { run: PlacementRun }) {
  const { view } = run.answer;
  const agree = () => run.ask({ type: "AGREE", quote_hash: view.cart_hash });
  return <Changed changes={changesOf(view)} onAgree={agree} busy={run.sent !== undefined} />;
}

function changesOf({ before, lines, total }: PlacementAnswer["view"]): Changes {
  const was = new Map(before?.lines.map((line) => [line.variant_id, line]));
  return {
    lines: lines.flatMap(({ variant_id, name, sku, unit_price, now, later }) => {
      const old = was.get(variant_id);
      if (!old) return [];
      const price =
        old.unit_price === unit_price
          ? {}
          : { price: { before: old.unit_price, after: unit_price } };
      const parts = old.now === now ? {} : { parts: { now, later } };
      return "price" in price || "parts" in parts ? [{ name, sku, ...price, ...parts }] : [];
    }),
    ...(before && before.total !== total ? { total: { before: before.total, after: total } } : {}),
  };
}
