import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The shell's page: plain files at the root of a host, which may be behind a path. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: { target: 'es2023', chunkSizeWarningLimit: 800 },
})
