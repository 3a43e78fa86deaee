import type { Folder } from "./types";

type Block = Folder["documents"][number]["blocks"][number];

/** A document as plain text, to be kept where there is no signal. */
export function textOf(title: string, blocks: readonly Block[]): string {
  return [title, ...blocks.map(written).filter(Boolean)].join("\n\n").concat("\n");
}

function written(block: Block): string {
  switch (block.type) {
    case "header":
      return plain(block.text).toUpperCase();
    case "paragraph":
      return plain(block.text);
    case "list":
      return block.items
        .map((item, place) => `${block.style === "ordered" ? `${place + 1}.` : "-"} ${plain(item)}`)
        .join("\n");
    case "table":
      return [block.head, ...block.rows].map((row) => row.map(plain).join(" | ")).join("\n");
    case "image":
      return `[${plain(block.alt)}]`;
    default:
      return "";
  }
}

/** Inline marks mean nothing in a plain text. */
function plain(text: string): string {
  return text.replace(/<\/?[a-z][^>]*>/gi, "");
}
