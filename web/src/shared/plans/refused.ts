import { tellProblem } from "~/shared/alerts/alerts";
import { problemOf } from "~/shared/api/errors";
import { askForBusiness } from "~/shared/session/ask-business";

/** Tells why a plan could not be chosen; a rep who has no business yet is asked for one. */
export function tellRefusal(cause: unknown): void {
  if (problemOf(cause).code === "business_needed") askForBusiness();
  else void tellProblem(cause);
}
