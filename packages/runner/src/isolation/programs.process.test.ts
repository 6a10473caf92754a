import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, describe, expect } from 'vitest'
import { createRunner } from '../runner.ts'
import { skipWithoutWalls } from '../testing/hostile-scene.ts'
import { findProgram } from './program.ts'

const place = realpathSync(tmpdir())
const root = mkdtempSync(join(place, 'svc-programs-'))
const beside = `${root}-tool`
const at = (path: string) => join(root, path)
function put(path: string, ...lines: readonly string[]): string {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), `${lines.join('\n')}\n`)
  chmodSync(at(path), 0o755)
  return at(path)
}
function link(from: string, to: string): void {
  mkdirSync(dirname(at(from)), { recursive: true })
  symlinkSync(to, at(from))
}

const runner = createRunner({ isolator: 'bubblewrap' })
/** A browser sends open files between its processes, and on a machine that is busy with tests these come late. */
const patient = createRunner({
  isolator: 'bubblewrap',
  limits: { ...limits, PLUGIN_FILES_SENT_MS: 60_000, DESCRIBE_TIMEOUT_MS: 60_000 },
})
afterAll(async () => {
  await Promise.all([runner.close(), patient.close()])
  rmSync(beside)
  rmSync(root, { recursive: true })
})

/** What a command wrote last on stderr, behind walls. */
async function said(command: readonly string[], path?: string, by = runner): Promise<unknown> {
  mkdirSync(at('work'), { recursive: true })
  const outcome = await by.describe({
    id: 'tool-program',
    version: '1.0.0',
    command,
    cwd: at('work'),
    env: path === undefined ? {} : { PATH: `${path}:${process.env.PATH}` },
    reach: {},
  })
  return outcome.ok ? outcome : (outcome.details?.stderr ?? outcome.message)
}

put(
  'work/Hi.java',
  'public class Hi { public static void main(String[] args) throws Exception {',
  '  System.err.println("hi " + javax.net.ssl.SSLContext.getDefault().getProtocol()); } }',
)
put('work/hi.php', '<?php fwrite(STDERR, "hi ".(extension_loaded("tokenizer") ? "all" : "bare"));')
put('work/hi.rb', 'require "json"', 'warn "hi #{JSON.generate([1])}"')
put('work/hi.pl', 'use JSON::PP; use Net::Config; print STDERR "hi ", (getservbyname("https", "tcp"))[2];')
put('work/hi.go', 'package main', 'import "os"', 'func main() { os.Stderr.WriteString("hi") }')
put('work/split.sh', '#!/usr/bin/env -S perl -w', 'print STDERR "hi";')

/** Programs of the system: what each is started with, and what it says. */
const systems: readonly (readonly [command: readonly string[], says: string])[] = [
  [['php', 'hi.php'], 'hi all'],
  [['java', 'Hi.java'], 'hi Default'],
  [['awk', 'BEGIN { print "hi" > "/dev/stderr" }'], 'hi'],
  [['mawk', 'BEGIN { print "hi" > "/dev/stderr" }'], 'hi'],
  [['gawk', 'BEGIN { print "hi" > "/dev/stderr" }'], 'hi'],
  [['lua', '-e', 'io.stderr:write("hi")'], 'hi'],
  [['guile', '-c', '(display "hi" (current-error-port))'], 'hi'],
  [['ruby', 'hi.rb'], 'hi [1]'],
  [['perl', 'hi.pl'], 'hi 443'],
  [['python3', '-c', 'import ssl, sys; print("hi", file=sys.stderr)'], 'hi'],
  [['/usr/bin/python3', '-c', 'import ssl, sys; print("hi", file=sys.stderr)'], 'hi'],
  [['go', 'run', 'hi.go'], 'hi'],
  [['cc'], 'cc: fatal error: no input files'],
  [['./split.sh'], 'hi'],
  [['env', 'WHO=hi', 'sh', '-c', 'echo $WHO >&2'], 'hi'],
  [['fc-list', ':', 'nosuchproperty='], ''],
]

describe('a program of the system', () => {
  skipWithoutWalls()
  for (const [command, says] of systems)
    verifies('wall.plugin.programs', command.join(' '), async ({ skip }) => {
      const [name = ''] = command
      skip(findProgram(name, at('work'), process.env.PATH) === undefined, `${name} is not on this machine`)
      const text = await said(command)
      if (says === '') expect(text).not.toMatch(/annot|error/i)
      else expect(text).toBe(says)
    })
})

describe('a browser', () => {
  skipWithoutWalls()
  const page = 'data:text/html,<b>hi</b>'
  const quiet = (command: string) => ['sh', '-c', `${command} 3>&2 2>/dev/null 1>&3`]

  const browsers: readonly (readonly [name: string, command: string, says: string])[] = [
    ['chromium', `chromium --headless --no-sandbox --dump-dom '${page}'`, '<b>hi</b>'],
    [
      'firefox-esr',
      'firefox-esr --headless --screenshot "$TMPDIR/page.png" about:blank >/dev/null; ls "$TMPDIR"',
      'page.png',
    ],
  ]
  for (const [name, command, says] of browsers)
    verifies('wall.plugin.programs', `of Debian shows a page: ${name}`, async ({ skip }) => {
      skip(findProgram(name, '/', process.env.PATH) === undefined, `${name} is not on this machine`)
      expect(await said(quiet(command), undefined, patient)).toContain(says)
    })
})

describe('a program that others put beside the system', () => {
  skipWithoutWalls()
  const says = (text: string) => ['#!/bin/sh', `echo "${text}" >&2`]
  put('kit-1.2/bin/run', '#!/bin/sh', '. "$(dirname "$0")/../share/words"')
  put('kit-1.2/share/words', 'echo hi >&2')
  link('kit', 'kit-1.2')
  put('far/bin/tool', '#!/bin/sh', '. "$(dirname "$(readlink -f "$0")")/words"')
  put('far/bin/words', 'echo hi >&2')
  symlinkSync(at('far/bin/tool'), beside)
  link('hops/a', 'b')
  link('hops/b', at('hops2/c'))
  link('hops2/c', '../far/bin/tool')
  put('made/bin/words', '#!/bin/sh', 'cat "$1" >&2')
  put('shop/run', `#!${at('made/bin/words')}`, 'hi')
  put('shop/two', `#!${at('shop/run')}`)
  put('.volta/bin/tool', '#!/bin/sh', '. "$VOLTA_HOME/tools/words"')
  put('.volta/tools/words', 'echo hi >&2')
  put('data/mise/shims/tool', '#!/bin/sh', '. "$MISE_DATA_DIR/installs/words"')
  put('data/mise/installs/words', 'echo hi >&2')
  put('.asdf/shims/tool', '#!/bin/sh', '. "$ASDF_DATA_DIR/installs/words"')
  put('.asdf/installs/words', 'echo hi >&2')
  put('app/node_modules/pkg/cli.js', '#!/usr/bin/env node', 'console.error(require("near"))')
  put('app/node_modules/near/index.js', 'module.exports = "hi"')
  link('app/node_modules/.bin/linked', '../pkg/cli.js')
  put('app/node_modules/.bin/shim', '#!/bin/sh', 'exec node "$(dirname "$0")/../pkg/cli.js" "$@"')
  put('base/bin/python3', ...says('$(cat "$(dirname "$0")/../lib/words")'))
  put('base/lib/words', 'hi')
  put('venv/pyvenv.cfg', `home = ${at('base/bin')}`)
  put('venv/bin/python', `#!/bin/sh`, `exec ${at('base/bin/python3')}`)
  put('venv/bin/server', `#!${at('venv/bin/python')}`)
  link('local/bin/server', at('venv/bin/server'))

  verifies.each('wall.plugin.programs')<[string, readonly string[], string?]>([
    ['in a folder that is a link', [at('kit/bin/run')]],
    ['with what it needs in share beside bin', [at('kit-1.2/bin/run')]],
    ['by a relative path', ['../kit/bin/run']],
    ['by a link in a folder that is not shown, which looks where it really lies', [beside]],
    ['behind several links', [at('hops/a')]],
    ['whose first line names one elsewhere', [at('shop/run')]],
    ['whose first line names a script', [at('shop/two')]],
    ['of Volta', [at('.volta/bin/tool')]],
    ['of mise', [at('data/mise/shims/tool')]],
    ['of asdf', [at('.asdf/shims/tool')]],
    ['that npm linked in node_modules/.bin', ['linked'], at('app/node_modules/.bin')],
    ['that pnpm put into node_modules/.bin', ['shim'], at('app/node_modules/.bin')],
    ['of a virtual environment, linked from elsewhere', [at('local/bin/server')]],
    ['that env starts', ['env', 'A=1', 'run'], at('kit-1.2/bin')],
    ['behind --, by env', ['sh', '-c', 'shift; "$@"', 'sh', '--', 'env', 'run'], at('kit-1.2/bin')],
  ])('%s', async (_name, command, path) => {
    expect(
      String(await said(command, path))
        .split('\n')
        .at(-1),
    ).toBe('hi')
  })
})
