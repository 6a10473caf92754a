import path from 'node:path'
import { defineCommand } from 'citty'
import { pageFrom } from '../harness/page.ts'
import { serveBlock } from '../harness/report.ts'
import { shellFiles } from '../harness/shell-files.ts'
import { openClusterData } from '../host/cluster-data.ts'
import { type DataOptions, type DataPorts, openData } from '../host/data-folder.ts'
import { hostOf, judgeConfig, refuseConfig } from '../host/judge-config.ts'
import { runUntilStopped } from '../host/running.ts'
import { type ReadConfig, readServeConfig } from '../host/serve-config.ts'
import { ownStartToken } from '../host/start-token.ts'
import { exitCodes } from '../terminal/failure.ts'
import { checkPort, portFailure } from '../terminal/port.ts'
import { readPort } from '../terminal/read-port.ts'

const PORT = 8787

/** `svc serve`: a host for others to use, as its config file says. */
export const serve = defineCommand({
  args: {
    config: { type: 'string', description: 'The config file; left out, svc.config.js, .ts or .json here.' },
    port: { type: 'string', description: 'In place of the port in the config file.' },
    data: {
      type: 'string',
      description: 'The data folder, in place of the one in the config file; memory keeps nothing.',
    },
    check: {
      type: 'boolean',
      default: false,
      description: 'Judges the config and its apps, opens neither data nor port, and ends.',
    },
  },
  async run({ args }) {
    const config = await readServeConfig(args.config, process.cwd(), args.data)
    const { port: configured = PORT, address, data: place, durability, backup, ...options } = config
    const dir = typeof place === 'string' ? place : null
    const port = args.port === undefined ? configured : readPort(args.port)
    await judgeConfig(options, dir)
    if (args.check) return console.log('the config can be used')
    if (address === undefined) await checkPort(port)
    const startToken = options.signIn === 'dev' ? (options.startToken ?? (await ownStartToken())) : undefined
    const page = options.page ?? pageFrom(await shellFiles())
    if (place === null && !options.store) console.error(NOTHING_KEPT)
    const data = await openPlace(place, { clock: options.clock, durability, backup })
    const host = await hostOf({ ...data?.ports, ...options, ...(startToken && { startToken }), page }).catch(
      async (error: unknown) => {
        await data?.close()
        throw error
      },
    )
    /** The host still writes while it closes. */
    async function close() {
      await host.close()
      await data?.close()
    }
    try {
      await host.apps.ready().catch(refuseConfig)
      const { startUrl } = await host.listen(port, address)
      console.log(`svc serves ${startUrl}; stop it with Ctrl-C`)
    } catch (error) {
      await close()
      throw portFailure(error, port)
    }
    const apps = options.apps?.map(({ dir }) => path.relative(process.cwd(), dir) || '.') ?? []
    void host.plugins.ready().then(async () => console.log(await serveBlock(host, apps)))
    await runUntilStopped(close, data?.lost?.then(endWith))
  },
})

/** What a host keeps its data with; `lost` resolves where it must be started anew to go on. */
interface OpenPlace {
  readonly ports: DataPorts
  readonly lost?: Promise<Error>
  close(): Promise<void>
}

/** Opens where the data is: a folder, servers, or nothing that is kept. */
async function openPlace(place: ReadConfig['data'], options: DataOptions): Promise<OpenPlace | null> {
  if (place === null) return null
  return typeof place === 'string' ? openData(place, options) : openClusterData(place, options)
}

/** How long a host whose storage is lost may take to close, in ms. */
const CLOSE_MS = 10_000

/** Says why this process ends, and sees to it that it does: whoever watches over it starts it again. */
function endWith(error: Error): void {
  console.error(`svc: THIS HOST ENDS: ${error.message}. What it acknowledged is kept; start it again.`)
  process.exitCode = exitCodes.storage
  setTimeout(() => process.exit(), CLOSE_MS).unref()
}

const NOTHING_KEPT =
  'svc: NOTHING IS KEPT: all data is in memory, and gone when this process ends. To keep it, give a data folder.'
