/**
 * Makes `journeys.csv`: a year of rides of an imaginary bike-share, the same bytes at every run.
 *
 *   node data/make.mjs           writes the file and prints its size and digest
 *   node data/make.mjs --check   compares the file that is there with what would be written; exit 1 if they differ
 *
 * Only integer and basic floating-point arithmetic is used (no Math.log, no Math.random, no dates of the
 * machine), so that every engine prints the same file.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const SEED = 20240229
const ROWS = 100_000
const STATIONS = 240
const FILE_MAX_BYTES = 3.5 * 1024 * 1024
/** What the arguments of one synchronous call may weigh as JSON, less what the envelope around them takes. */
const ARGUMENTS_MAX_BYTES = 4_194_304 - 64 * 1024

const FILE = new URL('journeys.csv', import.meta.url)

/** How busy each month is, January first: rides follow the weather. */
const MONTH_WEIGHTS = [3, 4, 6, 9, 12, 14, 14, 13, 11, 8, 4, 2]

const RIDERS = [
  { name: 'member', share: 0.71 },
  { name: 'casual', share: 0.22 },
  { name: 'daypass', share: 0.05 },
  { name: '', share: 0.02 },
]

/** What docks and riders wrote: commas, quotes, line breaks and letters beyond ASCII, as real exports have them. */
const NOTES = [
  'flat tyre',
  'dock full',
  'battery low',
  'rain, then hail',
  'chain slips, brakes fine',
  'saddle "too low"',
  '"out of service" sign, still unlocked',
  'left at Łódź Fabryczna',
  'Zürich HB, Gleis 18',
  'São Bento – 2 km de desvio',
  '東口, 返却済み',
  'lovely 🚲',
  'bell missing\nlight missing',
  'returned late:\r\n"bridge closed", detour',
]

/** A seeded stream of numbers in [0, 1) (mulberry32). */
function numbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every day of 2024 with the number of rides on it; the numbers add up to ROWS. */
function calendar() {
  const days = []
  for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2025, 0, 1); day += 86_400_000) {
    const date = new Date(day)
    const weekend = date.getUTCDay() % 6 === 0
    days.push({ text: date.toISOString().slice(0, 10), weight: MONTH_WEIGHTS[date.getUTCMonth()] * (weekend ? 3 : 4) })
  }
  const total = days.reduce((sum, day) => sum + day.weight, 0)
  let before = 0
  return days.map(({ text, weight }) => {
    const from = Math.floor((before * ROWS) / total)
    before += weight
    return { text, rides: Math.floor((before * ROWS) / total) - from }
  })
}

function cell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function pick(shares, at) {
  let rest = at
  for (const { name, share } of shares) {
    if (rest < share) return name
    rest -= share
  }
  return shares[0].name
}

function journeys() {
  const next = numbers(SEED)
  const lines = ['day,station,minutes,km,rider,note']
  for (const { text: day, rides } of calendar()) {
    for (let ride = 0; ride < rides; ride++) {
      const station = `S${String(1 + Math.floor(STATIONS * next() * next())).padStart(3, '0')}`
      const minutes = 1 + Math.floor(16 * (next() + next()) + 150 * next() * next() * next() * next())
      const kilometres = ((minutes * (8 + 12 * next())) / 60).toFixed(2)
      const rider = pick(RIDERS, next())
      const clockLost = next() < 0.015
      const positionLost = next() < 0.03
      const note = next() < 0.05 ? NOTES[Math.floor(NOTES.length * next())] : ''
      lines.push(
        [day, station, clockLost ? '' : String(minutes), positionLost ? '' : kilometres, rider, cell(note)].join(','),
      )
    }
  }
  return `${lines.join('\n')}\n`
}

const text = journeys()
const bytes = Buffer.from(text)
const argumentBytes = Buffer.byteLength(JSON.stringify({ csv: text, name: 'journeys.csv' }))
if (bytes.length > FILE_MAX_BYTES) {
  throw new Error(`journeys.csv must be at most ${FILE_MAX_BYTES} bytes, got ${bytes.length}`)
}
if (argumentBytes > ARGUMENTS_MAX_BYTES) {
  throw new Error(`the arguments must be at most ${ARGUMENTS_MAX_BYTES} bytes of JSON, got ${argumentBytes}`)
}
if (!process.argv.includes('--check')) writeFileSync(FILE, bytes)
else if (!readFileSync(FILE).equals(bytes)) {
  console.error('journeys.csv differs from what make.mjs writes: run `node data/make.mjs`')
  process.exitCode = 1
}
console.log(`rows ${ROWS}`)
console.log(`bytes ${bytes.length}`)
console.log(`argument bytes ${argumentBytes}`)
console.log(`sha256 ${createHash('sha256').update(bytes).digest('hex')}`)
