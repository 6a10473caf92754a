import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { initPostgres, postgresBin, serverUser, TEMPLATE } from './postgres-server.ts'

/** Set-up of a run of Vitest: an empty PostgreSQL is made once, and copied for each server. Returns what removes it. */
export async function setup(): Promise<() => void> {
  if (!hasPostgres()) return () => undefined
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'))
  const user = serverUser()
  if (user) chownSync(dir, user.uid, user.gid)
  await initPostgres(dir)
  process.env[TEMPLATE] = dir
  return () => rmSync(dir, { recursive: true, force: true })
}

/** Without one the tests say so, each by itself. */
function hasPostgres(): boolean {
  try {
    postgresBin()
    serverUser()
    return true
  } catch {
    return false
  }
}
