import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const dir = import.meta.dirname
const command = ['python3', 'plugin.py']
/** Files to look through: every content stands in two of them, so that a call takes long enough to be cancelled. */
const FILES = 4_000

/** Runs svc in this folder, with the Node that runs this check; answers its exit code and what it printed. */
function svc(
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
  const options = { cwd: dir, env: { ...process.env, PATH }, maxBuffer: 2 ** 26 }
  return new Promise((resolve) => {
    execFile(path.join(dir, 'node_modules/.bin/svc'), args, options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    )
  })
}

async function call(tool: string, args: object, ...more: string[]) {
  const { code, out, err } = await svc(
    'plug',
    'call',
    '--json',
    ...more,
    '--tool',
    tool,
    '--args',
    JSON.stringify(args),
    '--',
    ...command,
  )
  return {
    code,
    err,
    ...(JSON.parse(out) as { output?: unknown; error?: { code: string; message: string } }),
  }
}

const see = (what: string) => console.log(`✓ ${what}`)

const work = await mkdtemp(path.join(tmpdir(), 'svc-duplicates-'))
try {
  const folder = path.join(work, 'files')
  await mkdir(folder)
  const bytes = 4_096
  const named = (at: number) => path.join(folder, `${at}.txt`)
  for (let at = 0; at < FILES; at++) await writeFile(named(at), `${at % (FILES / 2)}`.padEnd(bytes))

  const checked = await svc(
    'plug',
    'check',
    '--json',
    '--tool',
    'find_duplicates',
    '--args',
    JSON.stringify({ folder }),
    '--',
    ...command,
  )
  const { checks } = JSON.parse(checked.out) as { checks: { id: string; name: string; verdict: string }[] }
  deepEqual(
    checks.filter(({ verdict }) => verdict !== 'held'),
    [],
  )
  ok(checks.some(({ id }) => id === 'stdio.cancel'))
  equal(checked.code, 0)
  see(`svc plug check finds nothing wrong: ${checks.length} checks hold`)

  const compared = await call('compare_texts', { before: 'one\ntwo\nthree', after: 'one\n2\nthree' })
  deepEqual(compared.output, {
    same: 2,
    removed: [{ line: 2, text: 'two' }],
    added: [{ line: 2, text: '2' }],
  })
  see('compare_texts tells the lines that differ')

  const found = await call('find_duplicates', { folder }, '--as-job')
  const { files, wasted_bytes, groups } = found.output as {
    files: number
    wasted_bytes: number
    groups: { bytes: number; files: string[] }[]
  }
  deepEqual([files, wasted_bytes, groups.length], [FILES, (FILES / 2) * bytes, 100])
  for (const group of groups) {
    const at = Number(path.basename(group.files[0] ?? '', '.txt')) % (FILES / 2)
    deepEqual(group, { bytes, files: [named(at), named(at + FILES / 2)].sort() })
  }
  see('find_duplicates finds every file that is there twice')
  ok(found.err.includes('svc: progress {"done":0,'))
  see('and tells its progress')

  const refused = await call('find_duplicates', { folder: 'here' })
  deepEqual([refused.code, refused.error?.code], [1, 'tool_failed'])
  ok(refused.error?.message.includes('folder must be an absolute path'))
  see('a folder that is no absolute path is refused in a sentence')
} finally {
  await rm(work, { recursive: true })
}
