import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '@svc/node'
import { object, type Rule, text, textThat, whole } from '@svc/node/options'
import { backupFolder } from './backup-folder.ts'

/** When a data folder is copied by itself. */
export interface BackupPlan {
  /** Where the copies go; made where it is not there. */
  readonly dir: string
  /** The time of day, `HH:MM` as the clock of this machine shows it. */
  readonly at: string
  /** How many copies stay; the oldest go. */
  readonly keep: number
}

/** What daily backups are made of. */
export interface BackupsOptions {
  readonly clock: Clock
  /** The data folder. */
  readonly folder: string
  readonly plan: BackupPlan
  /** Hears of each copy. */
  readonly onDone?: (file: string) => void
  /** Hears why a copy failed; the next one is tried a day later. */
  readonly onError: (error: unknown) => void
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/
const COPY = /^svc-\d{8}T\d{6}Z\.tar$/
const LEFT_OVER = /^svc-\d{8}T\d{6}Z\.tar\.part$/

/** What a plan may be. */
export const backupRule: Rule = object(
  {
    dir: text,
    at: textThat('must be a time such as "03:00"', TIME),
    keep: whole(1),
  } satisfies Record<keyof BackupPlan, Rule>,
  'dir',
  'at',
  'keep',
)

/**
 * Copies a data folder once a day, while the host works, into files such as `svc-20260101T030000Z.tar`, and removes the
 * oldest of them. What it returns ends it, and waits for a copy that is being made.
 */
export function openBackups({ clock, folder, plan, onDone, onError }: BackupsOptions): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let stop = arm()

  function arm(): () => void {
    const now = clock.now()
    return clock.setTimer(() => {
      stop = arm()
      running = copy().catch(onError)
    }, nextTime(now, plan.at) - now)
  }

  async function copy(): Promise<void> {
    await mkdir(plan.dir, { recursive: true, mode: 0o700 })
    const stamp = `${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    const file = path.join(plan.dir, `svc-${stamp}.tar`)
    await backupFolder(folder, file)
    await forgetOldest(plan)
    onDone?.(file)
  }

  return async () => {
    stop()
    await running
  }
}

/** The next moment at which a clock of this machine shows a time of day, in Unix ms. */
export function nextTime(now: number, at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const time = new Date(now)
  time.setHours(hours, minutes, 0, 0)
  if (time.getTime() <= now) time.setDate(time.getDate() + 1)
  return time.getTime()
}

/** Removes the oldest copies, and what a copy left that was cut off. */
async function forgetOldest({ dir, keep }: BackupPlan): Promise<void> {
  const names = await readdir(dir)
  const old = names
    .filter((name) => COPY.test(name))
    .sort()
    .slice(0, -keep)
  for (const name of [...old, ...names.filter((one) => LEFT_OVER.test(one))])
    await rm(path.join(dir, name), { force: true })
}
