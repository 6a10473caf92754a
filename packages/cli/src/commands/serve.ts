import path from 'node:path'
import { createHost, type HostOptions } from '@svc/host'
import { defineCommand } from 'citty'
import { pageFrom } from '../harness/page.ts'
import { serveBlock } from '../harness/report.ts'
import { shellFiles } from '../harness/shell-files.ts'
import { runUntilStopped } from '../host/running.ts'
import { readServeConfig } from '../host/serve-config.ts'
import { ownStartToken } from '../host/start-token.ts'
import { failure } from '../terminal/failure.ts'
import { checkPort, portFailure } from '../terminal/port.ts'
import { readPort } from '../terminal/read-port.ts'

const PORT = 8787

/** `svc serve`: a host for others to use, as its config file says. */
export const serve = defineCommand({
  meta: {
    name: 'serve',
    description:
      'Starts a host from a config file, with your sign-in; what it keeps is in memory unless the file gives a store.',
  },
  args: {
    config: { type: 'string', description: 'The config file; left out, svc.config.js, .ts or .json here.' },
    port: { type: 'string', description: 'In place of the port in the config file.' },
  },
  async run({ args }) {
    const { port: configured = PORT, address, ...options } = await readServeConfig(args.config, process.cwd())
    const port = args.port === undefined ? configured : readPort(args.port)
    if (address === undefined) await checkPort(port)
    const startToken = options.signIn === 'dev' ? (options.startToken ?? (await ownStartToken())) : undefined
    const host = hostOf({
      ...options,
      ...(startToken && { startToken }),
      page: options.page ?? pageFrom(await shellFiles()),
    })
    try {
      await host.apps.ready().catch(refuseConfig)
      const { startUrl } = await host.listen(port, address)
      console.log(`svc serves ${startUrl}; stop it with Ctrl-C`)
    } catch (error) {
      await host.close()
      throw portFailure(error, port)
    }
    const apps = options.apps?.map(({ dir }) => path.relative(process.cwd(), dir) || '.') ?? []
    void host.plugins.ready().then(async () => console.log(await serveBlock(host, apps)))
    await runUntilStopped(host.close)
  },
})

/** Makes the host. What it refuses is in the config file. Errors: `config`. */
function hostOf(options: HostOptions) {
  try {
    return createHost(options)
  } catch (error) {
    return refuseConfig(error)
  }
}

/** What the host says of its options, and of the apps in them, is said of the config file. */
function refuseConfig(error: unknown): never {
  throw failure('config', error instanceof Error ? error.message.replace(/^createHost: /, '') : String(error))
}
