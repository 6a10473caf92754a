import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { attacks } from './attack/rows.ts'
import type { Target } from './attack/target.ts'
import { work } from './attack/work.ts'

const SAMPLE_MS = 250
/** After an attack: how long a host has until its memory is read again; its thread for long work ends after 10 s of rest. */
const REST_MS = 12_000

/** How `docs/guides/run-a-host.md` starts a host, so that memory which is free again goes back to the system. */
const hostArgv = ['--expose-gc', '--max-semi-space-size=8']
const hostEnv = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/** A process of this folder that sends one message when it is ready. */
async function start(name: string, args: readonly string[] = []) {
  const file = new URL(`./attack/${name}.ts`, import.meta.url)
  const child = fork(
    file,
    [...args],
    name === 'host' ? { execArgv: hostArgv, env: hostEnv } : { execArgv: [] },
  )
  const answer = async () => (await once(child, 'message'))[0]
  return { child, answer }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/**
 * One user, or an address without a sign-in, attacks a host for a while; another user works meanwhile. Each attack meets a
 * fresh host. The same attacker against a server that only refuses (`control`) shows what he takes of the machine, so
 * that the ratio to it is the host's own part. `npm run bench -- attack --seconds 60 --rows streams,hang`
 */
export async function benchAttack(): Promise<void> {
  const { values } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '60' }, rows: { type: 'string', default: '' } },
  })
  const ms = Number(values.seconds) * 1_000
  const parts = String(values.rows).split(',')
  const names = Object.keys(attacks).filter((name) => parts.some((part) => name.includes(part)))
  if (names.length === 0)
    throw new Error(
      `no attack has ${parts.join(' or ')} in its name; there are ${Object.keys(attacks).join('; ')}`,
    )
  if (!(ms > 0)) throw new Error(`--seconds must be a number above 0, got ${values.seconds}`)
  console.log(
    `\nattacks of ${ms / 1_000} s; p99 of the other user in ms: alone, beside the attacker of a bare server, of the host;`,
  )
  console.log(`memory of the host in MiB: before, at most, ${REST_MS / 1_000} s after\n`)
  console.log(
    '| attack | alone | control | attacked | ÷ alone | ÷ control | failed | before | most | after |',
  )
  console.log(`|${' --- |'.repeat(10)}`)
  for (const name of names) console.log(await row(name, ms))
}

async function row(name: string, ms: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-attack-'))
  const host = await start('host', [folder])
  const target = (await host.answer()) as Target
  const memory = async (word: 'now' | 'rest'): Promise<number> => {
    host.child.send(word)
    return host.answer()
  }
  const refuser = await start('refuser')
  const { port } = (await refuser.answer()) as { port: number }
  const beside = async (at: Target) => {
    const attacker = await start('attacker', [name, JSON.stringify(at)])
    try {
      const fared = await work(target, ms)
      const { exitCode, signalCode } = attacker.child
      if (exitCode === null && signalCode === null) return fared
      throw new Error(`the attacker of "${name}" ended early: ${signalCode ?? `exit code ${exitCode}`}`)
    } finally {
      await end(attacker.child)
    }
  }
  try {
    await work(target, 2_000)
    const before = await memory('rest')
    const alone = await work(target, Math.min(ms, 10_000))
    const control = await beside({ ...target, port })
    let most = before
    let isOver = false
    const sampling = (async () => {
      for (; !isOver; await rest(SAMPLE_MS)) most = Math.max(most, await memory('now'))
    })()
    const attacked = await beside(target).finally(async () => {
      isOver = true
      await sampling
    })
    await rest(REST_MS)
    const after = await memory('rest')
    const times = [alone, control, attacked].map(({ p99 }) => p99.toFixed(1))
    const ratios = [alone, control].map(({ p99 }) => (attacked.p99 / p99).toFixed(2))
    const failed = `${attacked.failed} of ${attacked.calls}`
    const sizes = [before, most, after].map((mib) => mib.toFixed(0))
    return `| ${[name, ...times, ...ratios, failed, ...sizes].join(' | ')} |`
  } finally {
    await end(refuser.child)
    host.child.kill()
    await once(host.child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchAttack()
