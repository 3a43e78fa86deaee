import { createFileRoute } from "@tanstack/react-router";
import { trustedDevicesQuery } from "~/features/identity/profile/queries";
import { ProfileScreen } from "~/features/identity/profile/screen";
import { ahead } from "~/shared/api/ahead";
import { siteQuery } from "~/shared/session/site";

export const Route = createFileRoute("/_default/profile")({
  loader: ({ context: { queryClient } }) => {
    queryClient.ensureQueryData(siteQuery).then(
      ({ features }) => {
        if (features.mfa) ahead(queryClient, trustedDevicesQuery);
      },
      () => undefined, // the page does without what the site may have
    );
  },
  component: ProfileScreen,
});
