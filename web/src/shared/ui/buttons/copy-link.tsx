import { Trans } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { copied } from "~/shared/files/copied";
import classes from "./copy-link.module.css";

type CopyLinkProps = {
  url: string;
  label: string;
  /** Only the button, where the link stands elsewhere as well. */
  folded?: boolean;
};

/** A link to take along. Where the browser refuses to copy it, that is said, and it stands marked to be copied by hand. */
export function CopyLink({ url, label, folded = false }: CopyLinkProps) {
  const field = useRef<HTMLInputElement>(null);
  const [tried, setTried] = useState<{ done: boolean }>();
  const refused = tried?.done === false;
  useEffect(() => {
    if (tried?.done === false) field.current?.focus();
  }, [tried]);

  return (
    <div className={classes.copy}>
      {folded && !refused ? null : (
        <TextInput
          ref={field}
          size="md"
          readOnly
          aria-label={label}
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <Button
        variant="default"
        size="md"
        onClick={() => void copied(url).then((done) => setTried({ done }))}
      >
        {folded ? (
          tried?.done ? (
            <Trans>Link copied</Trans>
          ) : (
            <Trans>Copy the link</Trans>
          )
        ) : tried?.done ? (
          <Trans>Copied</Trans>
        ) : (
          <Trans>Copy</Trans>
        )}
      </Button>
      {refused ? (
        <span role="alert">
          <Trans>The browser did not copy the link. It is marked: copy it by hand.</Trans>
        </span>
      ) : null}
    </div>
  );
}
