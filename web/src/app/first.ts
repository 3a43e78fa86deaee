/** Imported before anything else: zod must not try `new Function`, which the CSP refuses and reports. */
import { config } from "zod/mini";

config({ jitless: true });
