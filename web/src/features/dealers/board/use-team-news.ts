import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isOld } from "~/shared/api/ahead";
import { live } from "~/shared/live/live";
import { boardKey } from "./queries";

const REST_MS = 1000;

/** Asks for the board anew whenever an activation of the team has changed, once a second at most. */
export function useTeamNews(dealerId: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined;
    let missed = false;
    let heard = false;
    let last: string | undefined;
    function look() {
      if (resting) {
        missed = true;
        return;
      }
      missed = false;
      // The first word is of the last change, which the board that has just been asked for holds.
      const predicate = heard ? undefined : isOld;
      heard = true;
      void cache.invalidateQueries({ queryKey: boardKey(dealerId), predicate });
      resting = setTimeout(() => {
        resting = undefined;
        if (missed) look();
      }, REST_MS);
    }
    const stop = live.follow(`team:${dealerId}`, ({ view }) => {
      const { at } = view as { at?: string };
      // A stream that was opened anew, for what else the page follows, tells the same change again.
      if (at !== undefined && at === last) return;
      last = at;
      look();
    });
    return () => {
      stop();
      clearTimeout(resting);
    };
  }, [cache, dealerId]);
}
