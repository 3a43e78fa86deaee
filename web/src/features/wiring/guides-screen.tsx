import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { download } from "~/shared/files/download";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { RichText } from "~/shared/ui/rich-text";
import { textOf } from "./document-text";
import { folderQuery } from "./queries";
import type { Folder } from "./types";
import { useKeptGuide } from "./use-kept";
import classes from "./wiring.module.css";

type GuidesScreenProps = { folder?: string; document?: string };

/** Installer guides: folders, and the documents in them, by slug. */
export function GuidesScreen({ folder, document }: GuidesScreenProps) {
  const found = useQuery(folderQuery(folder));
  const open = found.data?.documents.find(({ slug }) => slug === document);
  useKeptGuide(open);
  return (
    <div className={classes.page}>
      <Heading focusKey={`${folder ?? ""}/${document ?? ""}`}>
        {open?.title ?? (found.data?.title || <Trans>Installer Guides</Trans>)}
      </Heading>
      {found.isPending ? <Skeleton height={220} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.data ? <Path folder={found.data} /> : null}
      {found.data && open ? <DocumentView folder={found.data} slug={open.slug} /> : null}
      {found.data && !open ? <FolderView folder={found.data} /> : null}
    </div>
  );
}

function Path({ folder }: { folder: Folder }) {
  const { t } = useLingui();
  if (folder.slug === "") return null;
  return (
    <nav aria-label={t`Folders above`} className={classes.tools}>
      <Link to="/installer-guides" search={{}}>
        <Trans>All folders</Trans>
      </Link>
      {[...folder.path, { slug: folder.slug, title: folder.title }].map(({ slug, title }) => (
        <Link key={slug} to="/installer-guides" search={{ folder: slug }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function FolderView({ folder }: { folder: Folder }) {
  const { t } = useLingui();
  const [find, setFind] = useState("");
  const fits = (title: string) => title.toLowerCase().includes(find.trim().toLowerCase());
  const folders = folder.folders.filter(({ title }) => fits(title));
  const documents = folder.documents.filter(({ title }) => fits(title));
  return (
    <>
      <TextInput
        size="md"
        type="search"
        label={t`Search this folder`}
        value={find}
        maxLength={80}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <ul className={classes.options} aria-label={t`Folders`}>
        {folders.map(({ slug, title, description, documents: count }) => (
          <li key={slug}>
            <Panel>
              <Link to="/installer-guides" search={{ folder: slug }}>
                {title}
              </Link>
              <p>{description}</p>
              <small>
                <Plural value={count} one="# document" other="# documents" />
              </small>
            </Panel>
          </li>
        ))}
      </ul>
      <ul className={classes.documents} aria-label={t`Documents`}>
        {documents.map(({ slug, title, kind }) => (
          <li key={slug}>
            <Link to="/installer-guides" search={{ folder: folder.slug, document: slug }}>
              {title}
            </Link>{" "}
            <small>{kind}</small>
          </li>
        ))}
      </ul>
      {folders.length + documents.length === 0 ? (
        <p role="status">
          <Trans>No results found</Trans>
        </p>
      ) : null}
    </>
  );
}

function DocumentView({ folder, slug }: { folder: Folder; slug: string }) {
  const document = folder.documents.find((one) => one.slug === slug);
  if (!document) return null;
  return (
    <Panel>
      <div className={classes.tools}>
        <Button
          size="md"
          variant="default"
          onClick={() => download(`${document.slug}.txt`, textOf(document.title, document.blocks))}
        >
          <Trans>Download</Trans>
        </Button>
      </div>
      <RichText blocks={document.blocks} lang="en" />
    </Panel>
  );
}
