import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type InstallBed, openInstallBed, where } from '../testing/install.ts'
import { managerFakes } from '../testing/manager-fakes.ts'
import { installable } from './installers.ts'

// Each makes an environment of Python, or starts a process at least.
vi.setConfig({ testTimeout: 60_000 })

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
  vi.stubEnv('HOME', bed.folder)
  vi.stubEnv('SVC_SECRET', 'never seen')
  vi.stubEnv('UV_INDEX_URL', 'https://index.of.the.machine')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await bed.close()
})

/** What the managers were told: where they are walled, each writes it into the folder of its install. */
const said = () =>
  [join(bed.folder, 'said'), ...globSync(join(bed.installDir, '*/files/said'))]
    .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
    .join('')
/** Puts a program on PATH that tells what it was called with, and then does what `script` says. */
function put(program: string, script = managerFakes[program] ?? ''): void {
  const folder = join(bed.folder, 'path')
  mkdirSync(folder, { recursive: true })
  const tell = `said=../said; [ "$HOME" = "${bed.folder}" ] && said="$HOME/said"
for word in "$@"; do echo "<$word>"; done >> "$said"; env >> "$said"`
  writeFileSync(join(folder, program), `#!/bin/sh\n${tell}\n${script}\n`, { mode: 0o700 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
}

/** What was given to a package manager, without the folder of the install. */
const args = () =>
  said()
    .split('\n')
    .flatMap((line) => /^<(.*)>$/.exec(line)?.[1] ?? [])

type Managed = Extract<Distribution, { package_name: string }>['type']
const packaged = (type: Managed, more: { version?: string; package_name?: string } = {}) =>
  bed.plugin({ type, package_name: 'tiny', ...more })

verifies.each('plug.install.python')([
  ['uv', 'uv', ['tool', 'install', '--no-build', '--no-progress', '--', 'tiny==1.2.3']],
  ['pipx', 'pipx', ['install', '--pip-args=--only-binary=:all:', '--', 'tiny==1.2.3']],
] as const)(
  '%s installs into the folder of the install, and the package runs in its environment',
  async (type, program, words) => {
    put(program)
    const runner = bed.open()
    const { file, mark } = await where(runner, packaged(type, { version: '1.2.3' }))
    expect(mark).toBe(dirname(dirname(file)))
    expect(file.startsWith(bed.installDir)).toBe(true)
    expect(args()).toEqual(words)
    await runner.close()
    expect((await where(bed.open(), packaged(type, { version: '1.2.3' }))).file).toBe(file)
    expect(args()).toEqual(words)
  },
)

verifies.each('plug.install.frozen')([
  ['uv', ['--exclude-newer', '2026-01-01T00:10:00.000Z', '--', 'tiny==1.2.3']],
  ['pipx', ['--', 'tiny==1.2.3']],
] as const)('%s is told when a version was frozen, where it can be', async (type, words) => {
  put(type)
  const frozenAt = Date.parse('2026-01-01T00:00:00.000Z')
  await bed.open().install({ ...packaged(type, { version: '1.2.3' }), frozenAt })
  expect(args().join(' ')).toMatch(new RegExp(`(no-progress|:all:) ${words.join(' ')}$`))
})

verifies('plug.install.homebrew', 'a formula is started from where brew has it', async () => {
  put('brew')
  const runner = bed.open({ homebrew: true })
  const plugin = packaged('homebrew', { package_name: 'ada/tap/tiny' })
  expect(await where(runner, plugin)).toMatchObject({
    mark: 'of a formula',
    file: join(bed.folder, 'brew/opt/tiny/bin/tiny'),
  })
  expect(args()).toEqual([
    'install',
    '--formula',
    '--skip-post-install',
    '--',
    'ada/tap/tiny',
    '--prefix',
    'ada/tap/tiny',
  ])
})

verifies('plug.install.homebrew', 'a machine that is not enrolled installs none', async () => {
  put('brew')
  expect(await bed.open().install(packaged('homebrew'))).toMatchObject({
    code: 'plug_unavailable',
    message: expect.stringMatching(/homebrew is not used here$/),
    details: { hint: 'It is on a machine that was enrolled as a runner.' },
  })
  expect(said()).toBe('')
})

verifies.each('plug.install.absent')([
  ['npm', 'npm is not on this machine', 'Install it from https://nodejs.org.'],
  ['uv', 'uv is not on this machine', 'Install it from https://docs.astral.sh/uv.'],
  ['pipx', 'pipx is not on this machine', 'Install it from https://pipx.pypa.io.'],
  ['homebrew', 'brew is not on this machine', 'Install it from https://brew.sh.'],
] as const)('without %s', async (type, says, hint) => {
  vi.stubEnv('PATH', bed.folder)
  // Nor is bubblewrap there.
  const runner = bed.open({ homebrew: true, isolation: 'none' })
  expect(await runner.install(packaged(type))).toMatchObject({
    ok: false,
    code: 'plug_unavailable',
    message: `tool-ada-tiny-1 could not be installed (${type}): ${says}`,
    details: { distribution: type, hint },
  })
  expect(bed.left()).toEqual([])
})

verifies.each('plug.install.no_scripts')(['10.9.9', '11.13.0', '11.14.0-rc.1', 'odd'])(
  'npm %s, which does not know all that it is told, is asked for nothing',
  async (version) => {
    put('npm', `echo ${version}`)
    expect(await bed.open({ isolation: 'none' }).install(packaged('npm'))).toMatchObject({
      code: 'plug_unavailable',
      message: expect.stringContaining(`npm must be at least 11.14.0, got ${version}`),
      details: { hint: expect.stringContaining('npm install --global npm@latest') },
    })
    expect(args()).toEqual(['--version'])
    expect(bed.left()).toEqual([])
  },
)

it('an installer sees the environment of a plugin and the settings of its own kind', async () => {
  put('uv')
  await bed.open().install(packaged('uv'))
  expect(said()).not.toContain('never seen')
  expect(said()).toContain('UV_INDEX_URL=https://index.of.the.machine')
})

it('a failure shows the last lines, without folders, secrets and colours', async () => {
  const lines = [
    'first',
    '',
    '$UV_TOOL_DIR/x in $HOME/y',
    '\\033[31mred\\033[0m',
    'https://ada:p@w@host/',
    'auth_token=abc, Authorization: Bearer def',
    '{\\"_authToken\\": \\"ghi\\"}',
  ]
  put('uv', `${lines.map((line) => `printf '%b\\n' "${line}" >&2`).join('\n')}\nexit 3`)
  expect(await bed.open().install(packaged('uv'))).toMatchObject({
    message:
      'tool-ada-tiny-1 could not be installed (uv): uv: it ended with exit code 3: ' +
      'first | ./tools/x in ~/y | red | https://…@host/ | auth_token=… Authorization: Bearer … | {"_authToken": …',
  })
})

it('a home that is the root, as in a container, leaves the paths as they are', async () => {
  put('uv', 'echo /usr/bin/python >&2\nexit 3')
  vi.stubEnv('HOME', '/')
  expect(await bed.open().install(packaged('uv'))).toHaveProperty(
    'message',
    expect.stringContaining(': /usr/bin/python'),
  )
})

it('the types that a machine can install are those whose managers are there', () => {
  vi.stubEnv('PATH', join(bed.folder, 'path'))
  expect(installable()).toEqual(['local', 'binary'])
  put('uv')
  put('brew')
  expect(installable()).toEqual(['local', 'binary', 'uv'])
  expect(installable({ homebrew: true })).toEqual(['local', 'binary', 'uv', 'homebrew'])
})

verifies.each('wall.plugin.install')(['uv', 'pipx'] as const)(
  '%s is not asked where it cannot be isolated',
  async (type) => {
    put(type)
    vi.stubEnv('PATH', join(bed.folder, 'path'))
    expect(await bed.open().install(packaged(type))).toMatchObject({
      code: 'plug_unavailable',
      message: expect.stringContaining('this machine cannot isolate plugins'),
      details: { hint: expect.stringMatching(/^Install bubblewrap: .*isolation "none"/) },
    })
    expect(args()).toEqual([])
  },
)

it('a failure names the hosts that it asked for and may not reach', async () => {
  put('uv', 'curl -sS -m 5 https://files.acme.com/tiny.whl >&2\nexit 3')
  expect(await bed.open().install(packaged('uv'))).toMatchObject({
    message: expect.stringMatching(
      /^tool-ada-tiny-1 could not be installed \(uv\): uv: it ended with exit code 3: /,
    ),
    details: {
      hint: 'It may not reach files.acme.com:443: to allow a host, name it by a URL in the settings of uv.',
    },
  })
})
