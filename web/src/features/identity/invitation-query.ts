import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type Invited = Schemas["Invited"];

/** What a mailed token is about. Reading uses nothing up. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: () => answered(client.POST("/v1/auth/invitations/read", { body: { token } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
