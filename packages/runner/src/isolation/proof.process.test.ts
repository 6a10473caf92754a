import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isolate } from './isolate.ts'
import { openKeeper } from './keeper.ts'
import { problemOf } from './probes.ts'
import { promises } from './proof.ts'

let folder: string
beforeEach(({ skip }) => {
  const problem = problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)
  skip(problem !== null, `bubblewrap: ${problem}; npm run tools`)
  folder = mkdtempSync(join(tmpdir(), 'svc-proof-test-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Puts another bwrap before that of the machine: it has `$real`, and the words that it was given. */
function put(script: string): void {
  const real = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'bwrap'), `#!/bin/bash\nreal=${real}\n${script}\n`, { mode: 0o700 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  vi.stubEnv('TMPDIR', folder)
}
/** Runs bubblewrap with some words added before the command, and one of its own left out or replaced. */
const changed = (added: string, from = 'nothing', to = '') => `
words=()
for word in "$@"; do
  if [ "$word" = -- ] && [ -z "$past" ]; then past=1; words+=(${added}); fi
  words+=("\${word//${from}/${to}}")
done
exec $real "\${words[@]}"`

const flaws: readonly (readonly [string, string, readonly (keyof typeof promises)[]])[] = [
  ['shows the temporary files of the machine', changed('--ro-bind /tmp /tmp'), ['read']],
  ['has the temporary files of the machine', changed('--bind /tmp /tmp'), ['write', 'read']],
  ['has the system as it is', changed('--bind /usr /usr'), ['system']],
  ['shares the network', changed('--share-net'), ['network']],
  ['has no filter', changed('', '--seccomp', '--sync-fd'), ['kernel']],
  ['keeps a right', changed('--cap-add CAP_SYS_ADMIN'), ['kernel']],
  ['has another limit', changed('', 'ulimit -n 1024', 'ulimit -n 4096'), ['bounds']],
  ['has no limit of file sizes', changed('', 'ulimit -f', 'true -f'), ['bounds']],
  ['leaves what it started', '(sleep 5 &)\nexec $real "$@"', ['end']],
  ['starts nothing, and says so', 'exit 1', []],
  ['starts nothing, and says that it works', 'exit 0', []],
]

verifies.each('wall.plugin.proven')(flaws)(
  'walls that do not hold are no walls: %s',
  async (_name, script, fallen) => {
    put(script)
    const keeper = openKeeper({ isolation: 'required' }, 1_500)
    await keeper.ready()
    const { walls, problem } = keeper.now().isolation
    expect(walls).toBe(false)
    const said =
      fallen.length === 0
        ? `bwrap ended with ${script.at(-1)}`
        : `it does not hold that a plugin ${fallen.map((name) => promises[name]).join(', ')}`
    expect(problem).toBe(`this machine cannot isolate plugins: bubblewrap does not work (${said})`)
    expect(globSync(join(folder, 'svc-proof-*'))).toEqual([])
  },
)

it.each([
  ['the operator allows less than our limits', 'ulimit -n 512; ulimit -t 60; ulimit -f 100000'],
  ['a program is missing, and that is said late', '(sleep 0.2; echo "sh: setsid: not found" >&2) &'],
])('walls hold where %s', async (_name, script) => {
  put(`${script}\nexec $real "$@"`)
  expect(problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)).toBeNull()
})

it('says why nothing can be proven', async () => {
  put('exit 1')
  vi.stubEnv('TMPDIR', join(folder, 'none'))
  const keeper = openKeeper({ isolation: 'required' }, limits.ISOLATION_PROBE_MS)
  await keeper.ready()
  expect(keeper.now().isolation.problem).toContain('bubblewrap does not work (ENOENT: no such file')
})

it('the same comes of it where a thread waits', () => {
  put(changed('--share-net'))
  expect(isolate('auto', limits.ISOLATION_PROBE_MS).problem).toContain(promises.network)
})
