import path from 'node:path'
import { createHost } from '@svc/host'
import { openFolder } from '@svc/state-sqlite'

const root = path.join(import.meta.dirname, '..')

/** The only user there is: put what your own session knows in place of it. */
export const USER = { id: 'you' }

/** Where the host is in the site. */
export const HOST_PATH = '/svc'

/**
 * Opens the host with its data folder.
 *
 * @param data the folder
 */
export async function openHost(data = path.join(root, 'svc-data')) {
  const folder = await openFolder(data, {
    onLost(error) {
      console.error(error)
      process.exit(1)
    },
  })
  const { store, bus, blobs, secret } = folder
  const host = createHost({
    store,
    bus,
    blobs,
    secret,
    basePath: HOST_PATH,
    upgrades: true,
    authenticate: async () => USER,
    apps: [{ dir: path.join(root, 'app/dist') }],
  })
  return {
    host,
    /** Ends the host, which still writes, and then closes its folder. */
    async close() {
      await host.close()
      await folder.close()
    },
  }
}

/** The folder of the built page. */
export const pageFolder = path.join(root, 'page/dist')

/** The policy of the page: frames show bundles of apps and nothing else. */
export const framePolicy = (address: string | undefined) =>
  `frame-src http://${address}${HOST_PATH}/api/v1/svc-apps/bundles/`
