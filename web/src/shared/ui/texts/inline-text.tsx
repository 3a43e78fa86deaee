import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { isKnown } from "~/shared/navigation/routes";

const MARKS = new Set(["b", "strong", "i", "em", "u", "s", "code", "mark", "sub", "sup"]);
const DEEPEST = 8;

/**
 * A line of third-party text with its inline marks. The text is parsed apart from the page, where nothing runs, and only
 * an allow-list of elements is made anew; of everything else the words remain (promise 46).
 */
export function InlineText({ text }: { text: string }) {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  return <>{rendered(parsed.body, 0)}</>;
}

function rendered(parent: Node, depth: number): ReactNode[] {
  return [...parent.childNodes].map((node, place) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the list is made from one string and never reordered
    return <Fragment key={place}>{one(node, depth)}</Fragment>;
  });
}

function one(node: Node, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element) || depth > DEEPEST) return null;
  const name = node.tagName.toLowerCase();
  if (name === "script" || name === "style" || name === "template") return null;
  if (name === "br") return <br />;
  const inner = rendered(node, depth + 1);
  if (name === "a") return linked(node.getAttribute("href") ?? "", inner);
  if (!MARKS.has(name)) return inner;
  const Mark = name as "b"; // one of MARKS, all of which take children alone
  return <Mark>{inner}</Mark>;
}

function linked(href: string, inner: ReactNode[]): ReactNode {
  if (isOwnPath(href)) {
    return isKnown(href) ? <Link to={href as "/"}>{inner}</Link> : inner;
  }
  if (isCallOrMail(href)) return <a href={href}>{inner}</a>;
  if (!isHttp(href)) return inner;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {inner}
    </a>
  );
}

function isOwnPath(href: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(href);
}

function isHttp(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}

/** A number or an address alone: what a link would write into a mail, or dial beyond a number, is none. */
function isCallOrMail(href: string): boolean {
  return (
    /^tel:\+?[0-9][0-9.()-]{2,24}$/i.test(href) ||
    /^mailto:[a-z0-9._+-]+@([a-z0-9-]+\.)+[a-z]{2,}$/i.test(href)
  );
}
