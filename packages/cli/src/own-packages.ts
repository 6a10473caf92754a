import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Packages that an app may import without having installed them, as this installation of svc has them. */
const lent = /^@svc\/sdk(\/|$)/

/**
 * Lends apps our own packages: a folder that was copied somewhere finds `@svc/sdk` although nothing is installed
 * in it. What the app has installed itself comes first.
 */
export const lendPackages = (): Plugin => ({
  name: 'svc:lend-packages',
  enforce: 'pre',
  resolveId: {
    filter: { id: lent },
    async handler(id, importer, options) {
      const own = await this.resolve(id, importer, { ...options, skipSelf: true })
      return own ?? fileURLToPath(import.meta.resolve(id))
    },
  },
})
