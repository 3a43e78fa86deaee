import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { download } from "~/shared/files/download";
import { ProblemNote } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { RichText } from "~/shared/ui/texts/rich-text";
import { textOf } from "./document-text";
import { useKeptGuide } from "./kept/use-kept";
import { folderQuery, guidesFoundQuery } from "./queries";
import type { Folder } from "./types";
import classes from "./wiring.module.css";

/** Milliseconds without a key before all guides are searched. */
const PAUSE = 250;

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
      {found.data && !open ? <FolderView key={found.data.slug} folder={found.data} /> : null}
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

const NOTHING_YET: Pick<Folder, "folders" | "documents"> = { folders: [], documents: [] };

/** What is in a folder, or, with words, what is named so in all of them; without a network in this one. */
function FolderView({ folder }: { folder: Folder }) {
  const { t } = useLingui();
  const [find, setFind] = useState("");
  const [words] = useDebouncedValue(find.trim(), PAUSE);
  const online = useOnline();
  const found = useQuery(guidesFoundQuery(words));
  const searched = words !== "" && online;
  const here = (title: string) => title.toLowerCase().includes(words.toLowerCase());
  const { folders, documents } = searched
    ? (found.data ?? NOTHING_YET)
    : {
        folders: folder.folders.filter(({ title }) => here(title)),
        documents: folder.documents.filter(({ title }) => here(title)),
      };
  return (
    <>
      <TextInput
        size="md"
        type="search"
        label={t`Search all guides`}
        value={find}
        maxLength={80}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {searched && found.isPending ? <Skeleton height={120} radius="lg" /> : null}
      {searched && found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      <ul className={classes.options} aria-label={t`Folders`}>
        {folders.map(({ slug, title, description, documents: count }) => (
          <li key={slug}>
            <Panel>
              <Link to="/installer-guides" search={{ folder: slug }}>
                {title}
              </Link>
              <p lang="en">{description}</p>
              <small>
                <Plural value={count} one="# document" other="# documents" />
              </small>
            </Panel>
          </li>
        ))}
      </ul>
      <ul className={classes.documents} aria-label={t`Documents`}>
        {documents.map(({ slug, title, kind, folder: place }) => (
          <li key={`${place}/${slug}`}>
            <Link to="/installer-guides" search={{ folder: place, document: slug }}>
              {title}
            </Link>{" "}
            <small>{kind}</small>
          </li>
        ))}
      </ul>
      {folders.length + documents.length === 0 && !(searched && found.isPending) ? (
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
