import { createHost } from '@svc/host'
import { defineCommand } from 'citty'
import { portFailure } from '../harness.ts'
import { pageFrom } from '../page.ts'
import { readPort } from '../read-port.ts'
import { runUntilStopped } from '../running.ts'
import { readServeConfig } from '../serve-config.ts'
import { shellFiles } from '../shell-files.ts'

const PORT = 8787

/** `svc serve`: a host for others to use, as its config file says. */
export const serve = defineCommand({
  meta: { name: 'serve', description: 'Starts a host from a config file: storage of its own, your sign-in.' },
  args: {
    config: { type: 'string', description: 'The config file; left out, svc.config.js, .ts or .json here.' },
    port: { type: 'string', description: 'In place of the port in the config file.' },
  },
  async run({ args }) {
    const { port: configured = PORT, address, ...options } = await readServeConfig(args.config, process.cwd())
    const port = args.port === undefined ? configured : readPort(args.port)
    const host = createHost({ ...options, page: options.page ?? pageFrom(await shellFiles()) })
    try {
      const { url } = await host.listen(port, address)
      console.log(`svc serves ${url}; stop it with Ctrl-C`)
    } catch (error) {
      await host.close()
      throw portFailure(error, port)
    }
    await runUntilStopped(host.close)
  },
})
