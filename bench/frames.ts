import { benchFrameReaders } from './frame-readers.ts'
import { openPage, type Page, pipes } from './frames/ask.ts'
import { benchDelay } from './frames/delay.ts'
import { compare, type Outcome } from './lib/pairs.ts'
import { type ServerProcess, startServer } from './lib/server.ts'

const PACED = { tokens: 100, gapMs: 5, streams: 20 }
/** Answers of three lengths: what a token costs does not grow with them. */
const FLOODED = [
  { tokens: 100, gapMs: 0, streams: 20, blocks: 10 },
  { tokens: 4_000, gapMs: 0, streams: 2, blocks: 20 },
  { tokens: 100_000, gapMs: 0, streams: 1, blocks: 5 },
]

/** Frames of runs: what a token costs the host, how long the first one takes, and frames to many readers. */
export async function benchFrames(): Promise<Outcome[]> {
  return [
    await cost(`a token each ${PACED.gapMs} ms in ${PACED.streams} runs`, PACED),
    ...(await flood()),
    await firstToken(),
    await benchDelay(),
    ...(await benchFrameReaders()),
  ]
}

interface Load {
  readonly tokens: number
  readonly gapMs: number
  readonly streams: number
  readonly blocks?: number
}

interface Servers {
  readonly bare: ServerProcess
  readonly twin: ServerProcess
  readonly ai: ServerProcess
  readonly host: ServerProcess
  readonly page: Page
}

/** A provider, and in front of it the bare pipe twice, the AI SDK and the host: each a process of its own. */
async function withServers<T>(
  { tokens, gapMs }: Pick<Load, 'tokens' | 'gapMs'>,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const start = (name: string, ...args: number[]) =>
    startServer(new URL(`./frames/${name}.ts`, import.meta.url), ...args.map(String))
  const provider = await start('provider', tokens, gapMs)
  const [bare, twin] = [await start('bare-pipe', provider.port), await start('bare-pipe', provider.port)]
  const [ai, host] = [await start('ai-pipe', provider.port), await start('host', provider.port)]
  const page = await openPage(host)
  try {
    return await work({ bare, twin, ai, host, page })
  } finally {
    page.close()
    for (const server of [bare, twin, ai, host, provider]) await server.close()
  }
}

async function flood(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const load of FLOODED)
    outcomes.push(await cost(`${load.tokens} tokens at once in ${load.streams} runs`, load))
  return outcomes
}

/** CPU of the process in the middle, all of it: the provider's protocol, the run, the journal, the reader. */
const cost = (title: string, load: Load) =>
  withServers(load, async ({ bare, twin, ai, host, page }) => {
    const before = await host.rss()
    let tokens = 0
    const spent = (server: ServerProcess, run: () => Promise<unknown>) =>
      server.spent(load.streams * load.tokens, run)
    const piped = (server: ServerProcess) => () => spent(server, () => pipes(server, load.streams))
    const outcome = await compare({
      title: `frames: ${title}`,
      unit: 'µs of CPU a token',
      better: 'less',
      aaWithin: 0.1,
      ...(load.blocks && { blocks: load.blocks, warmUp: 2 }),
      base: { name: 'bytes piped through node:http', block: piped(bare) },
      twin: { name: 'piped', block: piped(twin) },
      others: [
        { name: 'streamText of the AI SDK to a response', block: piped(ai) },
        {
          name: 'svc, provider to page',
          async block() {
            // Fresh ones: what was said before is sent along.
            const sessions = await page.sessions(load.streams)
            tokens += load.streams * load.tokens
            return spent(host, () => page.turns(sessions))
          },
        },
      ],
    })
    const grown = (await host.rss()) - before
    console.log(
      `  svc grew by ${(grown / 1e6).toFixed(0)} MB, ${(grown / tokens).toFixed(0)} bytes a token: it keeps all frames`,
    )
    return outcome
  })

/** From the call to the first token; the provider answers at once, so that what is left is the way. */
const firstToken = () =>
  withServers({ tokens: 2, gapMs: 1 }, async ({ bare, twin, ai, page }) => {
    const outcome = await compare({
      title: 'frames: the first token, from the call to its reader',
      unit: 'ms',
      better: 'less',
      aaWithin: 0.1,
      base: { name: 'piped through node:http', block: () => pipes(bare, 1) },
      twin: { name: 'piped', block: () => pipes(twin, 1) },
      others: [
        { name: 'streamText of the AI SDK to a response', block: () => pipes(ai, 1) },
        { name: 'svc', block: async () => page.turns(await page.sessions(1)) },
      ],
    })
    const [base, , , svc] = outcome.rows.map(({ figure }) => figure.median)
    console.log(`  svc takes ${((svc ?? Number.NaN) - (base ?? Number.NaN)).toFixed(2)} ms more`)
    return outcome
  })

if (import.meta.main) await benchFrames()
