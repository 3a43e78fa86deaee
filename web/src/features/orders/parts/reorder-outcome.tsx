import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { VERDICT_WORDS } from "~/shared/cart/verdict-words";
import { Note } from "~/shared/ui/notes/note";
import type { Reordered } from "../queries";

/** What went into the cart again, and each line that did not, with its reason. */
export function ReorderOutcome({ added }: { added: Reordered }) {
  const { i18n } = useLingui();
  const left = added.rows.filter(({ verdict }) => verdict !== "ready" && verdict !== "merged");
  return (
    <>
      <Note
        tone={left.length ? "wait" : "ok"}
        action={
          <Link to="/cart">
            <Trans>View the cart</Trans>
          </Link>
        }
      >
        <Plural
          value={added.ready}
          _0="Nothing could be added."
          one="# product was added"
          other="# products were added"
        />
      </Note>
      {left.length > 0 ? (
        <ul>
          {left.map((row) => (
            <li key={row.row}>
              {row.name ?? row.sku}: {i18n._(VERDICT_WORDS[row.verdict])}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
