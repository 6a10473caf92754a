import { defineCommand } from 'citty'
import { manifestLines } from '../app/manifest-lines.ts'
import { logLine } from '../harness/dev-log.ts'
import type { Change, Harness, TypesNews } from '../harness/harness.ts'
import { block, reportOf } from '../harness/report.ts'
import { openRestartable } from '../harness/restartable.ts'
import { isolationArg, readIsolation } from '../host/isolation.ts'
import { openInBrowser, runUntilStopped } from '../host/running.ts'
import { ownStartToken } from '../host/start-token.ts'
import { linkedNote } from '../project/link-packages.ts'
import { isStorage, type StorageBackend, storageBackends } from '../project/svc-key.ts'
import { exampleFolders } from '../project/workspace.ts'
import { failure } from '../terminal/failure.ts'
import { isForeground } from '../terminal/foreground.ts'
import { type Key, openKeys } from '../terminal/keys.ts'
import { oneLine } from '../terminal/one-line.ts'
import { readPort } from '../terminal/read-port.ts'

/** `svc dev`: apps in windows on this machine, with an edit showing up as soon as it is saved. */
export const dev = defineCommand({
  args: {
    dirs: { type: 'positional', required: false, description: 'Folders of apps; left out, the examples.' },
    port: { type: 'string', default: '8787', description: 'The port of the page; 0 takes a free one.' },
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
    storage: { type: 'string', description: 'window-state or persistent; left out, what the apps ask for.' },
    data: { type: 'string', description: 'A folder that keeps the data; left out, it is in memory.' },
    types: {
      type: 'boolean',
      default: false,
      description: 'Writes the types of the tools (svc types) also for apps that have no such file yet.',
    },
    isolation: isolationArg,
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON, and a log in JSON.' },
  },
  async run({ args }) {
    const dirs = args._.length > 0 ? args._ : exampleFolders(process.cwd())
    const storage = readStorage(args.storage)
    const { watch, hmr, json } = args
    const startToken = await ownStartToken()
    const isolation = readIsolation(args.isolation)
    const harness = await openRestartable({
      dirs,
      port: readPort(args.port),
      watch,
      hmr,
      onLent: (dir, names) => console.error(`svc: ${linkedNote(dir, names)}`),
      onLeftOut: ({ message }) => console.error(`svc: left out: ${message}`),
      onChange: (change) => console.error(oneLine(sayChange(change))),
      onTypes: (news) => console.error(oneLine(sayTypes(news))),
      createTypes: args.types,
      ...(storage && { storage }),
      ...(args.data !== undefined && { data: args.data }),
      ...(!json && { writeLog: (text: string) => console.error(logLine(text)) }),
      host: { startToken, isolation },
    })
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
          write: (line) => console.error(line),
          signal: (name) => process.kill(process.pid, name),
          isForeground,
        })
      : () => undefined
    await runUntilStopped(async () => {
      closeKeys()
      await harness.close()
    }, quit.promise)
  },
})

/** Says that a harness is up, and what of it is not. */
async function sayStarted(
  harness: Harness,
  { json, watch, isListening }: { json: boolean; watch: boolean; isListening: boolean },
): Promise<void> {
  for (const line of (await Promise.all(harness.apps.map(manifestLines))).flat())
    console.error(oneLine(`svc: ${line}`))
  await harness.host.plugins.ready()
  const report = await reportOf(harness)
  console.log(json ? JSON.stringify(report) : block(report, { watch, isListening }))
}

function readStorage(text: string | undefined): StorageBackend | undefined {
  if (text === undefined || isStorage(text)) return text
  throw failure('usage', `--storage must be ${storageBackends.join(' or ')}, got ${JSON.stringify(text)}`)
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
  if (part === 'plugin error') return `svc: a plugin of ${app} failed: ${problem}. ${note}`
  if (part === 'plugin')
    return problem === null
      ? `svc: a plugin of ${app} was started again; ${note}`
      : `svc: a plugin of ${app} was not started again: ${problem}`
  return problem === null
    ? `svc: package.json of ${app} was read again; ${note}`
    : `svc: package.json of ${app} was not taken: ${problem}`
}

const sayTypes = ({ app, file, problem }: TypesNews): string =>
  problem === null
    ? `svc: ${file} of ${app} was written`
    : `svc: ${file} of ${app} stays as it was: ${problem}`
