import { answered, client } from "~/shared/api/client";
import { resetBusiness } from "~/shared/business";
import { forgetAtLogout } from "~/shared/storage";
import { carry, end, session } from "./session";
import { keepUntold } from "./untold";
import { tellOtherTabs } from "./work";

/** Ends the session here; what the browser keeps of it goes even if the server is out of reach, and hears of it later. */
export async function signOut(): Promise<void> {
  try {
    await answered(leave());
  } catch (cause) {
    keepUntold();
    throw cause;
  } finally {
    forget();
  }
}

/** Here as well only once the server has ended the others: whoever is out of its reach would believe that they are. */
export async function signOutEverywhere(): Promise<void> {
  await answered(client.POST("/v1/auth/sign-out-everywhere"));
  forget();
}

function forget(): void {
  tellOtherTabs("signed-out");
  forgetAtLogout();
  resetBusiness();
  carry(undefined);
  end();
}

/** A sign-in that goes with the tab is named by its own token: the cookie may be of another one. */
function leave() {
  const now = session();
  const refresh_token = now.state === "signed-in" ? now.refreshToken : undefined;
  return client.POST("/v1/auth/sign-out", refresh_token ? { body: { refresh_token } } : {});
}
