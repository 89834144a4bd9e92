import { defineConfig } from "vite";

// One entry with a fixed name, so that templates need no manifest; the viewer is a chunk of its own
// because only replay pages load it.
export default defineConfig({
  base: "./",
  publicDir: false,
  build: {
    outDir: "../static/app",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { app: "src/app.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
