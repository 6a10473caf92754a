import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Contender, compare, type Outcome } from '../lib/pairs.ts'
import { packInto } from './packed.ts'

const BLOCKS = 15
/** Processes on a machine with other work lie far apart. */
const AA_WITHIN = 0.1

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const run = promisify(execFile)

type Figure = 'whole' | 'listen' | 'rss' | 'cpu'
interface Start {
  readonly name: string
  readonly args: readonly string[]
}

/** A process that prints its figures in the last line; one of them. */
const figureOf = ({ name, args }: Start, figure: Figure): Contender => ({
  name,
  async block() {
    const { stdout } = await run(process.execPath, [...args])
    const line = stdout.trimEnd().split('\n').at(-1) ?? ''
    return (JSON.parse(line) as Record<Figure, number>)[figure]
  },
})

/** How long a process takes from its start to its end, in ms. */
const wholeOf = ({ name, args }: Start): Contender => ({
  name,
  async block() {
    const from = performance.now()
    await run(process.execPath, [...args])
    return performance.now() - from
  },
})

const nothing: Start = {
  name: 'node with nothing',
  args: ['-e', 'console.log(JSON.stringify({ rss: process.memoryUsage.rss() / 1e6 }))'],
}

/** From nothing to a host that listens, and to the help of the command line, as users install them and as a clone runs them. */
export async function benchProcesses(): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-start-'))
  try {
    await packInto(folder)
    await copyFile(here('./listen.mjs'), join(folder, 'listen.mjs'))
    const cli = join(folder, 'node_modules/@svc/cli/dist/main.js')
    const bare = { name: 'node:http', args: [here('./bare.mjs')] }
    const packed = join(folder, 'listen.mjs')
    const hosts: readonly Start[] = [
      { name: 'svc host, packed', args: [packed] },
      { name: 'svc host, packed, isolation: none', args: [packed, 'none'] },
      { name: 'svc host, sources', args: [here('./listen.mjs')] },
    ]
    const starts = (title: string, unit: string, figure: Figure, base: Start, others: readonly Start[]) =>
      compare({
        title,
        unit,
        better: 'less',
        blocks: BLOCKS,
        warmUp: 1,
        aaWithin: AA_WITHIN,
        base: figureOf(base, figure),
        twin: figureOf(base, figure),
        others: others.map((one) => figureOf(one, figure)),
      })
    return [
      await starts('a host: import, createHost and listen', 'ms', 'whole', bare, hosts),
      await starts('a host: createHost and listen, imported before', 'ms', 'listen', bare, hosts),
      await starts('a host that listens: CPU of its process', 'ms', 'cpu', bare, hosts),
      await starts('a host that listens: RSS', 'MB', 'rss', nothing, [bare, ...hosts]),
      await compare({
        title: 'svc --help, from its start to its end',
        unit: 'ms',
        better: 'less',
        blocks: BLOCKS,
        warmUp: 1,
        aaWithin: AA_WITHIN,
        base: wholeOf(nothing),
        twin: wholeOf(nothing),
        others: [
          wholeOf({ name: 'packed', args: [cli, '--help'] }),
          wholeOf({ name: 'sources', args: [here('../../packages/cli/src/main.ts'), '--help'] }),
        ],
      }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
