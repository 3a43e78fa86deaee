import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type Viewed, zoom } from "~/shared/media/viewer";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import classes from "./viewer.module.css";

type ViewerDialogProps = Viewed & { onClose: () => void };

/** A picture or a film, large. Escape and a press outside close it. */
export default function ViewerDialog({ onClose, ...viewed }: ViewerDialogProps) {
  const { t } = useLingui();
  const title = viewed.kind === "picture" ? viewed.picture.alt : viewed.title;
  return (
    <Dialog onClose={onClose} size="xl" title={title || t`Picture`}>
      {viewed.kind === "media" ? (
        // biome-ignore lint/a11y/useMediaCaption: captions come with the provider's film, if it has any
        <video src={viewed.url} controls className={classes.large} />
      ) : (
        <>
          <img src={viewed.picture.url} alt={viewed.picture.alt} className={classes.large} />
          <Leaf viewed={viewed} />
        </>
      )}
    </Dialog>
  );
}

type Pictured = Extract<Viewed, { kind: "picture" }>;

function Leaf({ viewed: { picture, group } }: { viewed: Pictured }) {
  if (group.length < 2) return null;
  const place = group.findIndex(({ url }) => url === picture.url);
  const turn = (by: number, button: HTMLElement) => {
    const next = group[(place + by + group.length) % group.length];
    if (next) zoom(next, button, group);
  };
  return (
    <div className={classes.leaf}>
      <Button variant="default" size="md" onClick={({ currentTarget }) => turn(-1, currentTarget)}>
        <Trans>Previous</Trans>
      </Button>
      <span>
        <Trans>
          {place + 1} of {group.length}
        </Trans>
      </span>
      <Button variant="default" size="md" onClick={({ currentTarget }) => turn(1, currentTarget)}>
        <Trans>Next</Trans>
      </Button>
    </div>
  );
}
