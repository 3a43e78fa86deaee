import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { live } from "~/shared/live/live";
import { boardKey } from "./queries";

const REST_MS = 1000;

/** Asks for the board anew whenever an activation of the team has changed, once a second at most. */
export function useTeamNews(dealerId: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined;
    let missed = false;
    function look() {
      if (resting) {
        missed = true;
        return;
      }
      missed = false;
      void cache.invalidateQueries({ queryKey: boardKey(dealerId) });
      resting = setTimeout(() => {
        resting = undefined;
        if (missed) look();
      }, REST_MS);
    }
    const stop = live.follow(`team:${dealerId}`, look);
    return () => {
      stop();
      clearTimeout(resting);
    };
  }, [cache, dealerId]);
}
