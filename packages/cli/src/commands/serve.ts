import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Host } from '@svc/host'
import { defineCommand } from 'citty'
import { pageFrom } from '../harness/page.ts'
import { serveBlock } from '../harness/report.ts'
import { shellFiles } from '../harness/shell-files.ts'
import { openClusterData } from '../host/cluster-data.ts'
import { type DataOptions, type DataPorts, openData } from '../host/data-folder.ts'
import { hostOf, judgeConfig, refuseConfig } from '../host/judge-config.ts'
import { runUntilStopped, type Starting } from '../host/running.ts'
import { type ReadConfig, readServeConfig } from '../host/serve-config.ts'
import { ownStartToken } from '../host/start-token.ts'
import { exitCodes, explainFailure } from '../terminal/failure.ts'
import { checkPort, type PortLine, portFailure, portLine } from '../terminal/port.ts'
import { print, printError } from '../terminal/print.ts'
import { portText } from '../terminal/text-rules.ts'

const PORT = 8787

/** `svc serve`: a host for others to use, as its config file says. */
export const serve = defineCommand({
  args: {
    config: { type: 'string', description: 'The config file; left out, svc.config.js, .ts or .json here.' },
    port: { type: 'string', rule: portText, description: 'In place of the port in the config file.' },
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
  run: ({ args, rawArgs }) =>
    args.check
      ? check(args)
      : runUntilStopped((starting) => start(args, portLine('svc serve', rawArgs), starting)),
})

/** The values of its options. */
interface ServeArgs {
  readonly config?: string | undefined
  readonly port?: string | undefined
  readonly data?: string | undefined
}

/** Reads the config, and judges all that can be judged before anything is opened. */
async function readConfig({ config: file, port: typed, data }: ServeArgs) {
  const config = await readServeConfig(file, process.cwd(), data)
  const { port: configured = PORT, address, data: place, durability, backup, ...options } = config
  const port = typed === undefined ? configured : Number(typed)
  await judgeConfig(options, { dir: typeof place === 'string' ? place : null, port, address })
  return { port, address, place, durability, backup, options }
}

async function check(args: ServeArgs): Promise<void> {
  await readConfig(args)
  print('the config can be used')
}

async function start(args: ServeArgs, line: PortLine, { wait, open, signal }: Starting) {
  const { port: wanted, address, place, durability, backup, options } = await wait(readConfig(args))
  const port = address === undefined ? await wait(checkPort(wanted, line)) : wanted
  const startToken =
    options.signIn === 'dev' ? (options.startToken ?? (await ownStartToken(port))) : undefined
  const page = options.page ?? pageFrom(await shellFiles())
  if (place === null && !options.store) printError(NOTHING_KEPT)
  const data = await open(openPlace(place, { clock: options.clock, durability, backup }), (data) =>
    data?.close(),
  )
  // Closed before its data, to which it still writes.
  const host = await open(
    hostOf({ ...data?.ports, ...options, ...(startToken && { startToken }), page }),
    (host) => host.close(),
  )
  await open(host.apps.ready().catch(refuseConfig))
  const { startUrl } = await open(
    host.listen(port, address).catch((error: unknown) => {
      throw portFailure(error, port, { address, line })
    }),
  )
  print(`svc serves ${startUrl}; stop it with Ctrl-C`)
  const apps = options.apps?.map(({ dir }) => path.relative(process.cwd(), dir) || '.') ?? []
  void sayServed(host, apps, signal)
  return { ended: data?.lost?.then(endWith) }
}

/** How long to wait before what could not be said is tried again, in ms. */
const SAY_AGAIN_MS = 1_000

/**
 * Says what is served, once plugins have said what they are; a host that closes has nothing more to say. Never rejects:
 * where the state is away just then the host serves all the same, and says it as soon as the state is back.
 */
async function sayServed(host: Host, apps: readonly string[], signal: AbortSignal): Promise<void> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await host.plugins.ready()
      const text = await serveBlock(host, apps)
      if (!signal.aborted) print(text)
      return
    } catch (error) {
      if (tries === 1 && !signal.aborted)
        printError(`svc: what is served is told later: ${explainFailure(error).lines[0]}`)
      await setTimeout(SAY_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

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
  printError(`svc: THIS HOST ENDS: ${error.message}. What it acknowledged is kept; start it again.`)
  process.exitCode = exitCodes.storage
  globalThis.setTimeout(() => process.exit(), CLOSE_MS).unref()
}

const NOTHING_KEPT =
  'svc: NOTHING IS KEPT: all data is in memory, and gone when this process ends. To keep it, give a data folder.'
