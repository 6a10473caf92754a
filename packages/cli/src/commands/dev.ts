import { visibleLine } from '@svc/contract/visible-text'
import { oneOf } from '@svc/node/options'
import { defineCommand } from 'citty'
import { manifestLines } from '../app/manifest-lines.ts'
import { logLine } from '../harness/dev-log.ts'
import type { Change, Harness, TypesNews } from '../harness/harness.ts'
import { block, reportOf } from '../harness/report.ts'
import { openRestartable } from '../harness/restartable.ts'
import { isolationArg, readIsolation } from '../host/isolation.ts'
import { openInBrowser, runUntilStopped, type Starting } from '../host/running.ts'
import { ownStartToken } from '../host/start-token.ts'
import { linkedNote } from '../project/link-packages.ts'
import { refuseWithoutApp } from '../project/project.ts'
import { storageBackends } from '../project/svc-key.ts'
import { exampleFolders } from '../project/workspace.ts'
import { isForeground } from '../terminal/foreground.ts'
import { type Key, openKeys } from '../terminal/keys.ts'
import { checkPort, freePort, type PortLine, portLine } from '../terminal/port.ts'
import { print, printError } from '../terminal/print.ts'
import { portText } from '../terminal/text-rules.ts'

/** `svc dev`: apps in windows on this machine, with an edit showing up as soon as it is saved. */
export const dev = defineCommand({
  args: {
    dirs: {
      type: 'positional',
      required: false,
      many: true,
      description: 'Folders of apps; left out, the examples.',
    },
    port: {
      type: 'string',
      rule: portText,
      description: 'The port of the page; left out, 8787 or the next free one; 0 takes any.',
    },
    open: { type: 'boolean', default: false, description: 'Opens the page in the browser.' },
    watch: {
      type: 'boolean',
      default: true,
      description: 'Shows what is saved in the open windows (--no-watch: does not).',
    },
    hmr: {
      type: 'boolean',
      default: true,
      description: 'Brings saved modules into windows by themselves (--no-hmr: builds, and reloads windows).',
    },
    storage: {
      type: 'string',
      rule: oneOf(...storageBackends),
      description: 'window-state or persistent; left out, what the apps ask for.',
    },
    data: { type: 'string', description: 'A folder that keeps the data; left out, it is in memory.' },
    types: {
      type: 'boolean',
      default: false,
      description: 'Writes the types of the tools (svc types) also for apps that have no such file yet.',
    },
    isolation: isolationArg,
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON, and a log in JSON.' },
  },
  run: ({ args, rawArgs }) =>
    runUntilStopped((starting) => start(args, portLine('svc dev', rawArgs), starting)),
})

/** The values of its options. */
interface DevArgs {
  readonly _: readonly string[]
  readonly port?: string | undefined
  readonly open: boolean
  readonly watch: boolean
  readonly hmr: boolean
  readonly storage?: string | undefined
  readonly data?: string | undefined
  readonly types: boolean
  readonly isolation: string
  readonly json: boolean
}

/** The port of the page where its user names none, and from which on a free one is looked for. */
const PORT = 8787

async function portOf({ port: named }: DevArgs, line: PortLine): Promise<number> {
  if (named !== undefined) return checkPort(Number(named), line)
  const port = await freePort(PORT, line)
  if (port !== PORT) printError(`svc: port ${PORT} is in use, so this is ${port}`)
  return port
}

async function start(args: DevArgs, line: PortLine, { open: opening }: Starting) {
  const dirs = args._.length > 0 ? args._ : exampleFolders(process.cwd())
  const storage = storageBackends.find((one) => one === args.storage)
  const { watch, hmr, json } = args
  refuseWithoutApp(dirs)
  const port = await portOf(args, line)
  const startToken = await ownStartToken(port)
  const isolation = readIsolation(args.isolation)
  const harness = await opening(
    openRestartable({
      dirs,
      port,
      watch,
      hmr,
      onLent: (dir, names) => printError(`svc: ${linkedNote(dir, names)}`),
      onLeftOut: ({ message }) => printError(`svc: left out: ${message}`),
      onChange: (change) => printError(visibleLine(sayChange(change))),
      onTypes: (news) => printError(visibleLine(sayTypes(news))),
      createTypes: args.types,
      ...(storage && { storage }),
      ...(args.data !== undefined && { data: args.data }),
      ...(!json && { writeLog: (text: string) => printError(logLine(text)) }),
      host: { startToken, isolation },
    }),
    (harness) => harness.close(),
  )
  const isListening = process.stdin.isTTY && !json
  const started = (one: Harness) => sayStarted(one, { json, watch, isListening })
  const open = () => openInBrowser(harness.current.startUrl)
  await started(harness.current)
  if (args.open) await open()
  const quit = Promise.withResolvers<void>()
  const keys: readonly Key[] = [
    { key: 'o', does: 'opens the page in the browser', run: open },
    {
      key: 'r',
      does: 'starts everything again, with its data',
      run: () => harness.restart().then(started),
    },
    { key: 'c', does: 'clears all data, and starts again', run: () => harness.clear().then(started) },
    { key: 'q', does: 'stops', run: async () => quit.resolve() },
  ]
  const closeKeys = isListening
    ? openKeys({
        input: process.stdin,
        keys,
        write: (line) => printError(line),
        signal: (name) => process.kill(process.pid, name),
        isForeground,
      })
    : () => undefined
  await opening(Promise.resolve(closeKeys), (close) => close())
  return { ended: quit.promise }
}

/** Says that a harness is up, and what of it is not. */
async function sayStarted(
  harness: Harness,
  { json, watch, isListening }: { json: boolean; watch: boolean; isListening: boolean },
): Promise<void> {
  for (const line of (await Promise.all(harness.apps.map(manifestLines))).flat())
    printError(visibleLine(`svc: ${line}`))
  for (const { slug, reach } of harness.apps.flatMap(({ plugins }) => plugins))
    if (reach === 'all') printError(`svc: the plugin ${slug} has all your rights: its reach is "all"`)
  await harness.host.plugins.ready()
  const report = await reportOf(harness)
  print(json ? JSON.stringify(report) : block(report, { watch, isListening }))
}

function sayChange({ app, part, problem, note }: Change): string {
  if (part === 'build')
    return problem === null
      ? `svc: ${app} was built again${note ? `; ${note}` : ''}`
      : `svc: ${app} stays as it was: ${problem}`
  if (part === 'module')
    return problem === null ? `svc: ${app} has the new ${note}` : `svc: ${app} stays as it was: ${problem}`
  if (part === 'manifest') return `svc: ${note}`
  if (part === 'app error') return `svc: ${app} threw an error: ${problem}. ${note}`
  if (part === 'plugin error')
    return `svc: a plugin of ${app} failed: ${problem?.replace(/\.$/, '')}. ${note}`
  if (part === 'plugin')
    return problem === null
      ? `svc: a plugin of ${app} was started again; ${note}`
      : `svc: a plugin of ${app} was not started again: ${problem}`
  return problem === null
    ? `svc: package.json and .env of ${app} were read again; ${note}`
    : `svc: package.json of ${app} was not taken: ${problem}`
}

const sayTypes = ({ app, file, problem }: TypesNews): string =>
  problem === null
    ? `svc: ${file} of ${app} was written`
    : `svc: ${file} of ${app} stays as it was: ${problem}`
