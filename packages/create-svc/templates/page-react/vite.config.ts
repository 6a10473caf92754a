import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { svcHost } from './host/svc-host.ts'

export default defineConfig({
  // Tests open a host of their own.
  plugins: [react(), ...(process.env.VITEST ? [] : [svcHost()])],
})
