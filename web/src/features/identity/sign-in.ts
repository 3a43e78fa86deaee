import { answered, client } from "~/shared/api/client";
import { begin, carry, end } from "~/shared/session/session";

export type Credentials = { username: string; password: string; remember_me: boolean };

/** Signs in, or throws the Problem whose words the form shows. */
export async function signIn(body: Credentials): Promise<void> {
  const answer = await answered(client.POST("/v1/auth/sign-in", { body }));
  carry(undefined);
  begin(answer.user, answer.access_token, answer.refresh_token ?? undefined);
}

/** Ends the session here; what the browser keeps of it goes even if the server is out of reach. */
export async function signOut(everywhere = false): Promise<void> {
  try {
    await answered(client.POST(everywhere ? "/v1/auth/sign-out-everywhere" : "/v1/auth/sign-out"));
  } finally {
    localStorage.removeItem("recent_vehicle_searches");
    localStorage.removeItem("activation_state");
    carry(undefined);
    end();
  }
}
