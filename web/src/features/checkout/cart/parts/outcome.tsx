import { Plural, Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Note } from "~/shared/ui/notes/note";
import type { AddedRows } from "../quick-order-calls";
import classes from "./outcome.module.css";

/** What was added, and what was not and still stands in the pad. */
export function Outcome({ order, onReport }: { order: AddedRows; onReport: () => void }) {
  return (
    <Note
      tone={order.refused ? "wait" : "ok"}
      action={
        <span className={classes.after}>
          <Link to="/cart">
            <Trans>View the cart</Trans>
          </Link>
          <Button variant="default" size="md" onClick={onReport}>
            <Trans>Download the report</Trans>
          </Button>
        </span>
      }
    >
      <Plural
        value={order.ready}
        _0="Nothing could be added."
        one="# product was added"
        other="# products were added"
      />{" "}
      {order.pieces ? <Plural value={order.pieces} one="(# piece)." other="(# pieces)." /> : null}{" "}
      {order.refused ? (
        <Plural
          value={order.refused}
          one="# row was not: it is below, with the reason."
          other="# rows were not: they are below, with the reason."
        />
      ) : null}
    </Note>
  );
}
