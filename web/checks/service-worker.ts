import { build, type Plugin } from "vite";

/** Builds the service worker into one script at the root, before the texts of the build are compressed. */
export function serviceWorker(entry = "src/worker/sw.ts"): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved({ build: { outDir } }) {
      folder = outDir;
    },
    async writeBundle() {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: "error",
        define: { "process.env.NODE_ENV": '"production"' },
        build: {
          outDir: folder,
          emptyOutDir: false,
          lib: { entry, formats: ["iife"], name: "worker", fileName: () => "sw.js" },
        },
      });
    },
  };
}
