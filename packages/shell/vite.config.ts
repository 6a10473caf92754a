import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The shell's page: plain files at the root of a host, which may be behind a path. Its colours are given to apps as they
 * are in the sheet, `light-dark()` with them, so that no browser may be meant that does not know it.
 */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 800,
  },
})
