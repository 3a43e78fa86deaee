import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { askForBusiness } from "~/shared/session/ask-business";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./dealers.module.css";

/** Who works for no dealer sees why there is nothing; a rep is asked for the business. */
export function NeedsBusiness({ rep }: { rep: boolean }) {
  return (
    <Panel className={classes.panel}>
      <p role="status">
        {rep ? (
          <Trans>Select the business that you work for.</Trans>
        ) : (
          <Trans>You work for no dealer.</Trans>
        )}
      </p>
      {rep ? (
        <Button size="md" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
          <Trans>Select Business</Trans>
        </Button>
      ) : null}
    </Panel>
  );
}
