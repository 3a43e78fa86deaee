import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** The page of an order, invoice or credit memo of any business; `id` is what it is opened by. */
const DOCUMENT_KINDS = ["order", "invoice", "credit_memo"] as const;

type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export function isDocument(kind: string): kind is DocumentKind {
  return DOCUMENT_KINDS.some((one) => one === kind);
}

type DocumentLinkProps = {
  kind: DocumentKind;
  id: string;
  "aria-label"?: string;
  children: ReactNode;
};

export function DocumentLink({ kind, id, ...rest }: DocumentLinkProps) {
  switch (kind) {
    case "order":
      return <Link to="/order/{-$id}" params={{ id }} {...rest} />;
    case "invoice":
      return <Link to="/invoice/{-$id}" params={{ id }} {...rest} />;
    case "credit_memo":
      return <Link to="/credit-memo/{-$id}" params={{ id }} {...rest} />;
  }
}
