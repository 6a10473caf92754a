import { defineConfig } from 'vite'
import { svcHost } from './host/svc-host.ts'

export default defineConfig({
  // Tests open a host of their own.
  plugins: process.env.VITEST ? [] : [svcHost()],
})
