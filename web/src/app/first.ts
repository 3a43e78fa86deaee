/** Imported before anything else: zod must not try `new Function`, which the CSP refuses and reports. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
