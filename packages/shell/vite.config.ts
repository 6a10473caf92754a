import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The shell's page: plain files at the root of the host's origin. */
export default defineConfig({
  plugins: [react()],
  build: { target: 'es2023', chunkSizeWarningLimit: 800 },
})
