import { useLingui } from "@lingui/react/macro";
import type { Schemas } from "~/shared/api/client";
import { play, zoom } from "~/shared/media/viewer";
import { DataTable } from "../lists/data-table";
import { LazyImage } from "../pictures/lazy-image";
import { InlineText } from "./inline-text";
import classes from "./rich-text.module.css";

type Block = Schemas["Page"]["blocks"][number];
type Image = Extract<Block, { type?: "image" }>;

/** Rich text block by block; a kind of block that is not in this list is not shown. */
export function RichText({ blocks, lang }: { blocks: readonly Block[]; lang?: string }) {
  const pictures = blocks.filter((block): block is Image => block.type === "image");
  return (
    <div className={classes.text} lang={lang}>
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page's blocks have no ids and are never reordered
        <RichBlock key={place} block={block} pictures={pictures} />
      ))}
    </div>
  );
}

function RichBlock({ block, pictures }: { block: Block; pictures: readonly Image[] }) {
  const { t } = useLingui();
  switch (block.type) {
    case "header": {
      const Level = block.level === 2 ? "h2" : block.level === 3 ? "h3" : "h4";
      return (
        <Level>
          <InlineText text={block.text} />
        </Level>
      );
    }
    case "paragraph":
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      );
    case "list": {
      const List = block.style === "ordered" ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item) => (
            <li key={item}>
              <InlineText text={item} />
            </li>
          ))}
        </List>
      );
    }
    case "image":
      return (
        <figure>
          <button
            type="button"
            className={classes.picture}
            aria-label={t`Enlarge: ${block.alt}`}
            onClick={({ currentTarget }) => zoom(block, currentTarget, pictures)}
          >
            <LazyImage url={block.url} alt={block.alt} />
          </button>
          {block.caption ? (
            <figcaption>
              <InlineText text={block.caption} />
            </figcaption>
          ) : null}
        </figure>
      );
    case "media":
      return (
        <p>
          <button
            type="button"
            className={classes.media}
            onClick={({ currentTarget }) => play(block.url, block.title, currentTarget)}
          >
            {t`Play: ${block.title}`}
          </button>
        </p>
      );
    case "table":
      return <RichTable head={block.head} rows={block.rows} />;
    case "delimiter":
      return <hr />;
    default:
      return null;
  }
}

function RichTable({ head, rows }: { head: readonly string[]; rows: readonly string[][] }) {
  const { t } = useLingui();
  return (
    <div className={classes.wide}>
      <DataTable<readonly string[]>
        label={t`Table: ${head.join(", ")}`}
        rows={rows}
        keyOf={(row) => row.join("|")}
        columns={head.map((name, place) => ({
          head: name,
          cell: (row) => <InlineText text={row[place] ?? ""} />,
        }))}
      />
    </div>
  );
}
