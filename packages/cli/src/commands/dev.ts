import { defineCommand } from 'citty'
import { failure } from '../failure.ts'
import { type Change, startHarness } from '../harness.ts'
import { readPort } from '../read-port.ts'
import { block, reportOf } from '../report.ts'
import { openInBrowser, runUntilStopped } from '../running.ts'
import { isStorage, type StorageBackend, storageBackends } from '../svc-key.ts'
import { exampleFolders } from '../workspace.ts'

/** `svc dev`: apps in windows on this machine, with an edit showing up as soon as it is saved. */
export const dev = defineCommand({
  meta: {
    name: 'dev',
    description: 'Starts apps on this machine, with their tools and the page of windows.',
  },
  args: {
    dirs: { type: 'positional', required: false, description: 'Folders of apps; left out, the examples.' },
    port: { type: 'string', default: '8787', description: 'The port of the page; 0 takes a free one.' },
    open: { type: 'boolean', default: false, description: 'Opens the page in the browser.' },
    watch: {
      type: 'boolean',
      default: true,
      description: 'Builds again when a file is saved (--no-watch: does not).',
    },
    storage: { type: 'string', description: 'window-state or persistent; left out, what the apps ask for.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON instead of the block.' },
  },
  async run({ args }) {
    const dirs = args._.length > 0 ? args._ : exampleFolders(process.cwd())
    const storage = readStorage(args.storage)
    const { watch, json } = args
    const harness = await startHarness({
      dirs,
      port: readPort(args.port),
      watch,
      onLeftOut: ({ message }) => console.error(`svc: left out: ${message}`),
      onChange: (change) => console.error(sayChange(change)),
      ...(storage && { storage }),
    })
    await harness.host.plugins.ready()
    const report = await reportOf(harness)
    console.log(json ? JSON.stringify(report) : block(report, watch))
    if (args.open) openInBrowser(harness.url)
    await runUntilStopped(harness.close)
  },
})

function readStorage(text: string | undefined): StorageBackend | undefined {
  if (text === undefined || isStorage(text)) return text
  throw failure('usage', `--storage must be ${storageBackends.join(' or ')}, got ${JSON.stringify(text)}`)
}

const sayChange = ({ app, problem }: Change) =>
  problem === null ? `svc: ${app} was built again` : `svc: ${app} stays as it was: ${problem}`
