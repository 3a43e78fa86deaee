import { queryOptions } from "@tanstack/react-query";
import { asking } from "~/shared/api/operation";

/** The browsers that leave out the second factor. */
export const trustedDevicesQuery = queryOptions({
  ...asking("get", "/v1/auth/devices", {}),
});
