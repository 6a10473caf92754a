import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Names the file that hands the token over to the program that takes this one's place. */
const HANDED_OVER = 'SVC_RUNNER_TOKEN_HANDED_OVER'

/**
 * Returns `SVC_RUNNER_TOKEN`, and takes it out of the environment of this process. The system shows every program of the
 * same user what a process was started with, whatever it deletes later: so the process starts itself again, in its own
 * place, without it. The file that hands it over is this user's alone, and gone before anything else is started. Where
 * Node cannot do that (Windows, before 22.15) the variable is only deleted.
 */
export function takeTokenOutOfEnvironment(env = process.env): string | undefined {
  const file = env[HANDED_OVER]
  if (file !== undefined) {
    const token = readFileSync(file, 'utf8')
    rmSync(path.dirname(file), { recursive: true })
    delete env[HANDED_OVER]
    return token
  }
  const { SVC_RUNNER_TOKEN: token, ...rest } = env
  delete env.SVC_RUNNER_TOKEN
  if (token === undefined || process.platform === 'win32' || !('execve' in process)) return token
  const next = path.join(mkdtempSync(path.join(tmpdir(), 'svc-token-')), 'token')
  writeFileSync(next, token, { mode: 0o600 })
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  return process.execve?.(process.execPath, args, { ...rest, [HANDED_OVER]: next })
}
