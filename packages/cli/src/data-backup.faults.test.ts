import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runSvc } from './testing/cli.ts'
import { openHttpUser } from './testing/http-user.ts'
import { type KeptHost, startKeptHost } from './testing/kept-host.ts'

/** Each start is a process that reads its modules. */
const RESTART_MS = 120_000
const PATIENT = { timeout: 30_000, interval: 50 }
const KEEP = 2

/** Local times of a process five hours ahead of UTC; a timer may be set for a moment later than it was meant. */
const before = Date.UTC(2030, 0, 1, 21, 0)
const still = Date.UTC(2030, 0, 1, 21, 30)
const three = (day: number) => Date.UTC(2030, 0, day, 22, 0, 1)
const MOMENTS = [before, still, three(1), three(2), three(3)]

let kept: KeptHost
beforeEach(async () => {
  kept = await startKeptHost()
  await kept.kill()
}, RESTART_MS)
afterEach(() => kept.close())

/** Takes the place of the config file in JSON: with a clock that a test moves, and what else is given. */
function configure(moments: readonly number[], rest: object): void {
  const clock = pathToFileURL(path.join(import.meta.dirname, 'testing/jumping-clock.ts')).href
  writeFileSync(
    path.join(kept.dir, 'svc.config.js'),
    `import { jumpingClock } from '${clock}'
import config from './svc.config.json' with { type: 'json' }
process.env.TZ = 'Etc/GMT-5'
export default { ...config, ...${JSON.stringify(rest)}, clock: jumpingClock(${JSON.stringify(moments)}) }
`,
  )
}

/** The user's value, as the host has it now: tokens of windows do not outlive a jump of the clock. */
async function set(value: string): Promise<void> {
  const ada = await openHttpUser(kept.url, 'ada')
  await ada.result('storage', 'set', { key: 'day', value })
}
async function get(): Promise<unknown> {
  const ada = await openHttpUser(kept.url, 'ada')
  return (await ada.result<{ value: unknown }>('storage', 'get', { key: 'day' })).value
}

it('a host makes a backup each day at its time and keeps the newest, of which a host is restored', {
  timeout: RESTART_MS,
}, async () => {
  const copies = path.join(kept.dir, 'copies')
  const names = () => (existsSync(copies) ? readdirSync(copies).sort() : [])
  configure(MOMENTS, { backup: { dir: './copies', at: '03:00', keep: KEEP } })
  await kept.start()
  await kept.signal('SIGUSR2', 'jump 1')
  const seen: string[] = []
  for (const day of [1, 2, 3]) {
    await set(`of day ${day}`)
    expect(names()).toEqual(seen.slice(-KEEP))
    await kept.signal('SIGUSR2', `jump ${day + 1}`)
    const made = () =>
      names().find((name) => name.startsWith(`svc-2030010${day}T2200`) && name.endsWith('.tar'))
    await expect.poll(made, PATIENT).toBeDefined()
    seen.push(made() ?? '')
    // The oldest goes after the new one has come.
    await expect.poll(names, PATIENT).toEqual(seen.slice(-KEEP))
  }
  await set('of the last day')
  await kept.kill()

  const [oldest = ''] = names()
  const restore = ['data', 'restore', path.join(copies, oldest), '--data', 'restored']
  expect(await runSvc(restore, { cwd: kept.dir })).toMatchObject({ code: 0 })
  configure([three(4)], { data: 'restored' })
  await kept.start()
  expect(await get()).toBe('of day 2')
})
