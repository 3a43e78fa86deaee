import { useLingui } from "@lingui/react/macro";
import { CarryOn } from "~/features/activation/unfinished/carry-on";
import { WaitingOrders } from "~/features/checkout/approvals/waiting-orders";
import { Desk } from "~/features/desk/desk";
import { Businesses } from "~/features/desk/parts";
import type { Scope } from "~/features/desk/queries";
import { chooseBusiness } from "~/features/partners/choose";
import { whyNotChosen } from "~/features/partners/why-not-chosen";
import { useSend } from "~/shared/api/send";
import { askForBusiness } from "~/shared/session/ask-business";
import { useBusiness } from "~/shared/session/session";
import { Note } from "~/shared/ui/notes/note";
import { WaitingNote } from "./notices/waiting-note";

/** What waits for whoever is signed in, put together from its areas. */
export default function StartPage({ scope }: { scope: Scope }) {
  return (
    <>
      <WaitingNote />
      <Desk
        scope={scope}
        activations={(first) => <CarryOn scope={scope} first={first} />}
        approvals={(waiting) => <WaitingOrders quiet first={waiting} />}
        businesses={(recent) => <Recent recent={recent} />}
      />
    </>
  );
}

function Recent({ recent }: { recent: Parameters<typeof Businesses>[0]["recent"] }) {
  const { i18n } = useLingui();
  const present = useBusiness()?.code;
  const { busy, problem, send } = useSend();
  const refusal = problem && whyNotChosen(problem);
  return (
    <>
      {refusal ? (
        <Note tone="fail">{typeof refusal === "string" ? refusal : i18n._(refusal)}</Note>
      ) : null}
      <Businesses
        recent={recent}
        present={present}
        busy={busy}
        onChoose={(code) => void send((key) => chooseBusiness(code, key), [code])}
        onSelect={() => askForBusiness()}
      />
    </>
  );
}
