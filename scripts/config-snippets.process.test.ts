import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startSvc } from '../packages/cli/src/testing/cli.ts'
import { configSnippets, given } from './testing/config-snippets.ts'

/** A whole start, and the notice that a config gives before the end. */
const START_MS = 60_000
const manifest = {
  schema: 3,
  name: 'A',
  version: '1.0.0',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
}

/** A folder with what a config of a page names, and the config in it. */
function folderOf(text: string): string {
  const cwd = mkdtempSync(path.join(tmpdir(), 'svc-config-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  for (const [, dir = ''] of text.matchAll(/\bdir: '(\.[^']*)'/g)) {
    mkdirSync(path.join(cwd, dir), { recursive: true })
    writeFileSync(path.join(cwd, dir, 'manifest.json'), JSON.stringify(manifest))
    writeFileSync(path.join(cwd, dir, 'index.html'), '<!doctype html><title>A</title>')
  }
  // Of a page that shows one line, somebody signs in all the same.
  const config = `${given}\nconst shown = ${text}\nexport default { ...(shown.authenticate || shown.pageTokens ? {} : { signIn: 'dev' }), ...shown, port: 0 }\n`
  writeFileSync(path.join(cwd, 'svc.config.mjs'), config)
  return cwd
}

const configs = configSnippets.filter(({ of }) => of === 'svc serve')

it.each(configs)(
  'svc serve starts with what $page says, and ends: $text',
  async ({ text }) => {
    const isElsewhere = /postgres|'10\./.test(text)
    const args = ['serve', '--config', 'svc.config.mjs', ...(isElsewhere ? ['--check'] : [])]
    const svc = startSvc(args, { cwd: folderOf(text) })
    if (!isElsewhere) {
      await svc.sees('svc serves')
      svc.child.kill('SIGTERM')
    }
    const { code, err } = await svc.ended
    expect(err).not.toMatch(/svc: (?!NOTHING IS KEPT)/)
    expect(code).toBe(0)
  },
  START_MS,
)
