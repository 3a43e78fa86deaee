import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Language } from "~/i18n/language";
import { Problem, problemOf } from "~/shared/api/errors";
import { screenOf } from "~/shared/navigation/routes";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { NotFoundScreen } from "~/shared/ui/screens/not-found-screen";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { RichText } from "~/shared/ui/texts/rich-text";
import classes from "./page.module.css";
import { pageQuery } from "./queries";

type ContentScreenProps = {
  id: string;
  /** Stands below the text, and comes with it: it would be moved otherwise. */
  children?: ReactNode;
};

/** A static page: the title is the registry's, the text comes from the content provider. */
export function ContentScreen({ id, children }: ContentScreenProps) {
  const { i18n } = useLingui();
  const page = useQuery(pageQuery(id, i18n.locale as Language));
  const title = screenOf(`/${id}`)?.title;
  if (page.error instanceof Problem && page.error.status === 404) return <NotFoundScreen />;
  if (page.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      <Heading>{title ? i18n._(title) : page.data?.title}</Heading>
      <Panel>
        {page.data ? (
          <RichText
            blocks={page.data.blocks}
            lang={page.data.language === i18n.locale ? undefined : page.data.language}
          />
        ) : (
          <ProblemNote problem={problemOf(page.error)} onRetry={() => void page.refetch()} />
        )}
      </Panel>
      {children}
    </div>
  );
}
