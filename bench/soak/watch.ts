import { type Result, resultOf } from '../lib/result.ts'
import { grown, openSamples, type Sample, seriesTable } from './series.ts'

/** A soak under way. */
interface Watched {
  readonly title: string
  readonly minutes: number
  readonly sampleMs: number
  sample(): Promise<Sample>
  /** A line about the traffic so far. */
  traffic(): string
}

const MINUTE_MS = 60_000
/** How far the levels of two runs of the same code lie apart. */
const LEVEL_NOISE = 0.1
/** A shorter soak is not judged: everything still warms up. */
const JUDGED_FROM_MINUTES = 5

/**
 * Takes samples for so many minutes, with a line a minute, and prints the table of slopes at the end; before that on
 * SIGUSR2, or on Enter. A quantity that grows beyond noise sets the exit code to 1. Ctrl-C ends it early, with the table.
 */
export async function watch({ title, minutes, sampleMs, sample, traffic }: Watched): Promise<Result> {
  const samples = openSamples()
  const begin = performance.now()
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
  while (!isOver && passed() < minutes) {
    samples.add(passed(), await sample())
    if (passed() >= told + 1) {
      told = Math.floor(passed())
      const series = samples.series()
      const heap = series.find(({ name }) => name === 'bytes heap')
      const names = grown(series).join(', ')
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
  const names = grown(series)
  console.log(
    names.length === 0 ? 'every slope is zero within noise, or falls' : `these grow: ${names.join(', ')}`,
  )
  if (passed() < JUDGED_FROM_MINUTES) console.log(`below ${JUDGED_FROM_MINUTES} minutes nothing is judged`)
  else if (names.length > 0) process.exitCode = 1
  const figures = Object.fromEntries(series.map(({ name, median }) => [name, median]))
  return resultOf({ title, unit: 'held', better: 'less', noise: LEVEL_NOISE, figures })
}
