import { resetBusiness } from "~/shared/business";
import { carry, end } from "~/shared/session/session";
import { tellOtherTabs } from "~/shared/session/work";
import { forgetAtLogout } from "~/shared/storage";
import { answered, client } from "./client";

/** Ends the session here; what the browser keeps of it goes even if the server is out of reach. */
export async function signOut(everywhere = false): Promise<void> {
  try {
    await answered(client.POST(everywhere ? "/v1/auth/sign-out-everywhere" : "/v1/auth/sign-out"));
  } finally {
    tellOtherTabs("signed-out");
    forgetAtLogout();
    resetBusiness();
    carry(undefined);
    end();
  }
}
