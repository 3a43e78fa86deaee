import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Age } from "~/shared/time/age";
import { Note } from "~/shared/ui/note";
import type { DeviceFound } from "../types";

/** This device is half-way already: go on, wherever it was left. */
export function Unfinished({ found }: { found: DeviceFound }) {
  const running = found.activation;
  if (!running) return null;
  return (
    <Note
      tone="wait"
      action={
        <Button
          size="md"
          renderRoot={(props) => (
            <Link
              to="/activation/device"
              search={{ id: running.id, step: running.step }}
              {...props}
            />
          )}
        >
          <Trans>Continue this activation</Trans>
        </Button>
      }
    >
      <Trans>
        This device has an unfinished activation: step {running.position} of {running.total}, saved{" "}
        <Age since={running.saved_at} /> by {running.saved_by}.
      </Trans>
    </Note>
  );
}
