import { type Result, resultOf } from '../lib/result.ts'
import { grown, openSamples, type Sample, type Series, seriesTable } from './series.ts'

/** A soak under way. */
interface Watched {
  readonly title: string
  readonly minutes: number
  readonly sampleMs: number
  sample(): Promise<Sample>
  /** How much was done so far. */
  done(): number
  /** Lines about it. */
  traffic(): string
  /** Quantities that are shown and need not be level. */
  readonly shown?: readonly string[]
}

const MINUTE_MS = 60_000
/** The traffic of a minute, a quantity like the others: a busy machine drives less of it. */
const RATE = 'done a minute'
/** How far the levels of two runs of the same code lie apart. */
const LEVEL_NOISE = 0.1
/** A shorter soak is not judged: everything still warms up. */
const JUDGED_FROM_MINUTES = 5

/**
 * Takes samples for so many minutes, with a line a minute, and prints the table of slopes at the end; before that on
 * SIGUSR2, or on Enter. A quantity that grows beyond noise sets the exit code to 1. Ctrl-C ends it early, with the table.
 */
export async function watch({
  title,
  minutes,
  sampleMs,
  sample,
  done,
  traffic,
  shown = [],
}: Watched): Promise<Result> {
  const samples = openSamples()
  const begin = performance.now()
  const growing = (series: readonly Series[]) =>
    grown(series).filter((name) => name !== RATE && !shown.includes(name))
  const passed = () => (performance.now() - begin) / MINUTE_MS
  let isOver = false
  let wake = () => {}
  const end = () => {
    isOver = true
    wake()
  }
  const print = () =>
    console.log(
      `\n${title}, after ${passed().toFixed(1)} min\n${seriesTable(samples.series())}\n${traffic()}\n`,
    )
  process.on('SIGUSR2', print).once('SIGINT', end)
  if (process.stdin.isTTY) process.stdin.on('data', print)
  let told = 0
  let before = { at: passed(), done: done() }
  while (!isOver && passed() < minutes) {
    const now = { at: passed(), done: done() }
    const rate = (now.done - before.done) / Math.max(now.at - before.at, 1e-9)
    if (now.done > before.done) samples.add(passed(), { ...(await sample()), [RATE]: rate })
    before = now
    if (passed() >= told + 1) {
      told = Math.floor(passed())
      const series = samples.series()
      const heap = series.find(({ name }) => name === 'bytes heap')
      const names = growing(series).join(', ')
      console.log(
        `${told} min: heap ${((heap?.last ?? 0) / 1e6).toFixed(1)} MB; ${names ? `grows: ${names}` : 'all level'}`,
      )
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, sampleMs)
    })
  }
  process.off('SIGUSR2', print).off('SIGINT', end)
  if (process.stdin.isTTY) process.stdin.off('data', print).pause()
  print()
  const series = samples.series()
  const steady = series.find(({ name }) => name === RATE)?.trend
  if (steady === 'grows' || steady === 'falls')
    console.log('the traffic was not steady: what follows it, like rows, is not either')
  const names = growing(series)
  console.log(
    names.length === 0 ? 'every slope is zero within noise, or falls' : `these grow: ${names.join(', ')}`,
  )
  if (passed() < JUDGED_FROM_MINUTES) console.log(`below ${JUDGED_FROM_MINUTES} minutes nothing is judged`)
  else if (names.length > 0) process.exitCode = 1
  const figures = Object.fromEntries(series.map(({ name, median }) => [name, median]))
  return resultOf({ title, unit: 'held', better: 'less', noise: LEVEL_NOISE, figures })
}
