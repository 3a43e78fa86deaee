import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ChangeEvent, useRef, useState } from "react";
import { Problem } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { askForCart } from "~/shared/cart/queries";
import { dollars } from "~/shared/catalogue/money";
import { download } from "~/shared/files/download";
import { useUnsaved } from "~/shared/forms/unsaved";
import { askForBusiness } from "~/shared/session/ask-business";
import { ordersBySku } from "~/shared/session/rights";
import {
  businessOf,
  type SignedInUser,
  session,
  useBusiness,
  useSession,
} from "~/shared/session/session";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import {
  afterOrder,
  aRow,
  emptyPad,
  isBlank,
  MOST_ROWS,
  type PadRow,
  padOf,
  textOf,
  withListed,
} from "./pad";
import { Outcome } from "./parts/outcome";
import { PadTable } from "./parts/pad-table";
import {
  type AddedRows,
  addRows,
  checkFile,
  MOST_BYTES,
  type QuickOrder,
} from "./quick-order-calls";
import classes from "./quick-order-screen.module.css";
import { toCsv } from "./report";
import { SavedLists } from "./saved-lists/saved-lists";
import { useTyping } from "./typing";
import { useJudging } from "./use-judging";
import { verdictWords } from "./verdicts";

/** Many SKUs at once: typed, pasted, or from a CSV or XLSX; each row is judged, and what can be added is. */
export default function QuickOrderScreen() {
  const now = useSession();
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Quick Order</Trans>
      </Heading>
      {now.state === "anonymous" ? (
        <Visitor />
      ) : ordersBySku(now) ? (
        <Pad />
      ) : (
        <ProblemNote problem={new Problem(403, { code: refusal(now.user) })} />
      )}
    </div>
  );
}

/** As the server refuses whoever adds a row (`domain/checkout/cart.py`, `check_may_buy`). */
function refusal({ is_b2c, is_retired }: SignedInUser): string {
  return is_b2c && !is_retired ? "no_linked_business" : "no_purchasing_rights";
}

function Visitor() {
  return (
    <Note
      tone="plain"
      action={
        <Link to="/login" search={{ next: "/search?qo=true" }}>
          <Trans>Log in</Trans>
        </Link>
      }
    >
      <Trans>Please log in to order by SKU.</Trans>
    </Note>
  );
}

function Pad() {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const business = useBusiness()?.code;
  const [rows, setRows] = useState<PadRow[]>(emptyPad);
  const [what, setWhat] = useState<"add" | "file">();
  const { busy, problem, send } = useSend();
  const judging = useJudging(rows, setRows);
  const [added, setAdded] = useState<AddedRows>();
  const [orders, setOrders] = useState(0);
  const picker = useRef<HTMLInputElement>(null);
  const filled = rows.filter((row) => !isBlank(row));
  useUnsaved(filled.length > 0);

  const typing = useTyping(setRows, () => setAdded(undefined));

  const underWay = busy ? what : undefined;

  async function attempt(next: typeof what, work: (key: string) => Promise<void>, text?: string) {
    setWhat(next);
    setAdded(undefined);
    const refused = await send(work, text && [next, text, businessOf(session())]);
    if (refused?.code === "business_needed") askForBusiness();
  }

  function add() {
    const text = textOf(rows);
    const work = async (key: string) => {
      const order = await addRows(text, key);
      setRows((present) => afterOrder(present, rows, order.rows));
      setAdded(order);
      setOrders((before) => before + 1);
      await askForCart(cache);
    };
    return attempt("add", work, text);
  }

  function upload(event: ChangeEvent<HTMLInputElement>) {
    const file = event.currentTarget.files?.[0];
    event.currentTarget.value = "";
    if (!file) return;
    void attempt("file", async () => {
      if (file.size > MOST_BYTES) throw tooLarge();
      const order = await checkFile(file);
      const read = padOf(order.rows);
      setRows((present) => [...present.filter((row) => !isBlank(row)), ...read, aRow()]);
    });
  }

  function report(order: QuickOrder) {
    const head = [t`Row`, t`SKU`, t`Quantity`, t`Result`, t`Pieces added`];
    const lines = order.rows.map((row) => [
      String(row.row),
      row.sku,
      row.quantity,
      verdictWords(i18n, row).join(". "),
      String(row.pieces),
    ]);
    download("quick-order-report.csv", toCsv([head, ...lines]));
  }

  const { order } = judging;
  const tooMany = filled.length > MOST_ROWS;
  return (
    <>
      <p className={classes.lead}>
        <Trans>
          Type a SKU and a quantity in each row, paste rows from a spreadsheet, or upload a CSV or
          XLSX file: up to {MOST_ROWS} rows at a time. Old SKUs are understood.
        </Trans>
      </p>
      <div className={classes.tools}>
        <Button
          variant="default"
          size="md"
          loading={underWay === "file"}
          onClick={() => picker.current?.click()}
        >
          <Trans>Upload a file</Trans>
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.xlsx,text/csv"
          aria-label={t`CSV or XLSX file`}
          onChange={upload}
        />
        <Button
          variant="subtle"
          size="md"
          onClick={() => download("quick-order.csv", toCsv([["SKU", "Quantity"]]))}
        >
          <Trans>Download a template</Trans>
        </Button>
        <SavedLists
          key={`${business} ${orders}`} // what is left of an order, or comes to another business, is no list
          isEmpty={filled.length === 0}
          text={filled.length && !tooMany ? textOf(rows) : undefined}
          onUse={({ rows: listed }) => {
            setAdded(undefined);
            setRows((present) => withListed(present, listed));
          }}
        />
      </div>
      <ProblemNote problem={problem} />
      <ProblemNote
        problem={judging.problem}
        onRetry={judging.again}
        action={
          judging.problem?.code === "business_needed" ? (
            <Button
              variant="default"
              onClick={({ currentTarget }) => askForBusiness(currentTarget)}
            >
              <Trans>Select Business</Trans>
            </Button>
          ) : undefined
        }
      />
      {added ? <Outcome order={added} onReport={() => report(added)} /> : null}
      {tooMany ? (
        <Note tone="fail">
          <Trans>
            There are {filled.length} rows, and at most {MOST_ROWS} can be ordered at a time.
          </Trans>
        </Note>
      ) : null}
      <PadTable rows={rows} {...typing} />
      <div className={classes.actions}>
        <p role="status" aria-busy={judging.busy}>
          {order ? <Counts order={order} /> : null}
        </p>
        {order ? (
          <p className={classes.total}>
            <Trans>Total</Trans> <strong>{dollars(i18n, order.total)}</strong>
          </p>
        ) : null}
        <Button
          size="md"
          disabled={!filled.length || tooMany}
          title={filled.length ? undefined : t`Enter a SKU first`}
          loading={underWay === "add"}
          onClick={() => void add()}
        >
          <Trans>Add to cart</Trans>
        </Button>
      </div>
    </>
  );
}

/** What becomes of the rows; nothing is said of what none does. */
function Counts({ order: { ready, merged, refused } }: { order: QuickOrder }) {
  return (
    <>
      {ready ? <Plural value={ready} one="# can be added." other="# can be added." /> : null}{" "}
      {merged ? (
        <Plural value={merged} one="# is counted with others." other="# are counted with others." />
      ) : null}{" "}
      {refused ? (
        <Plural value={refused} one="# cannot be added." other="# cannot be added." />
      ) : null}
    </>
  );
}

/** Said before a byte is sent, in the server's own code. */
function tooLarge(): Problem {
  return new Problem(413, { code: "too_large", detail: "The request is too large." });
}
