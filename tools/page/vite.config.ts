import { defineConfig } from "vite";

// The page lies at the API's root and its files beside it under page/, wherever that is: all addresses are relative.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../../functions/page/built",
    emptyOutDir: true,
    assetsDir: "page",
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
  },
});
