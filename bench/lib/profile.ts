import { mkdir, writeFile } from 'node:fs/promises'
import { type Profiler, Session } from 'node:inspector/promises'
import { join } from 'node:path'

/** The variable with the folder for profiles; servers of a measurement inherit it. */
export const PROFILE_DIR = 'SVC_BENCH_PROFILE'
const INTERVAL_US = 200

/** Profiles this process from now on; the function that is returned ends that and returns the profile. */
async function startProfile(): Promise<() => Promise<Profiler.Profile>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  }
}

async function writeProfile(dir: string, name: string, profile: Profiler.Profile): Promise<void> {
  await mkdir(dir, { recursive: true })
  const file = join(
    dir,
    `${name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 80)}.cpuprofile`,
  )
  await writeFile(file, JSON.stringify(profile))
}

/** Does a block once more and writes its profile, where `npm run bench` was asked for profiles; else it does nothing. */
export async function profiledBlock(name: string, block: () => Promise<unknown>): Promise<void> {
  const dir = process.env[PROFILE_DIR]
  if (dir === undefined) return
  const stop = await startProfile()
  await block()
  await writeProfile(dir, name, await stop())
}

/** Profiles this process until the function that is returned is called, where profiles were asked for; else it does nothing. */
export async function profileProcess(name: string): Promise<() => Promise<void>> {
  const dir = process.env[PROFILE_DIR]
  if (dir === undefined) return async () => {}
  const stop = await startProfile()
  return async () => writeProfile(dir, `${name}-${process.pid}`, await stop())
}
