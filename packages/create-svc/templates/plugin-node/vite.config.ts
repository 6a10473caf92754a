import { defineConfig } from 'vite'

/** One file with everything in it, which a runner starts as it is: it has no node_modules beside it. */
export default defineConfig({
  ssr: { noExternal: true },
  build: {
    ssr: 'src/plugin.ts',
    rolldownOptions: { output: { entryFileNames: 'plugin.mjs', banner: '#!/usr/bin/env node' } },
  },
})
