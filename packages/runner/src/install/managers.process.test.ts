import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type InstallBed, openInstallBed, tinyProgram, where } from '../testing/install.ts'
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
/** Makes an environment of Python, with a script in it that names its Python by where it is made, as pip writes them. */
const python = (folder: string) => `
python3 -m venv --without-pip "${folder}" || exit 9
echo "#!${folder}/bin/python" > "${folder}/bin/tiny"
cat >> "${folder}/bin/tiny" <<'END'
import json, sys
answers = {
    "describe": {"name": "tiny", "version": "1.0.0", "tools": [{"name": "where", "parameters": []}]},
    "call": {"output": {"file": __file__, "args": sys.argv[1:], "mark": sys.prefix}},
}
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answers[asked["method"]]}), flush=True)
END
`

/** What stands in for each package manager on PATH: it puts things where the real one does. */
const fakes: Readonly<Record<string, string>> = {
  uv: `${python('$UV_TOOL_DIR/tiny')}
mkdir -p "$UV_TOOL_BIN_DIR"
ln -s "$UV_TOOL_DIR/tiny/bin/tiny" "$UV_TOOL_BIN_DIR/tiny"`,
  pipx: `${python('$PIPX_HOME/venvs/tiny')}
mkdir -p "$PIPX_BIN_DIR"
ln -s "$PIPX_HOME/venvs/tiny/bin/tiny" "$PIPX_BIN_DIR/tiny"`,
  brew: `[ "$1" = --prefix ] && { echo "$HOME/brew/opt/tiny"; exit; }
mkdir -p "$HOME/brew/opt/tiny/bin"
cat > "$HOME/brew/opt/tiny/bin/tiny" <<'END'
${tinyProgram('of a formula')}
END`,
}

/** Puts a program on PATH that tells what it was called with, and then does what `script` says. */
function put(program: string, script = fakes[program] ?? ''): void {
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

/** What code of a package tries while it is installed, as a wheel's `.pth` file does when its Python starts. */
const thefts: Readonly<Record<string, string>> = {
  'reads a file of its user': 'cat $0/secret',
  'reads a file over a link': 'ln -s $0/secret link && cat link',
  'lists what its user has': 'ls $0 | grep secret',
  'reads the install of another': 'cat $0/installs/other/index.js',
  'lists the installs of others': 'ls $0/installs | grep other',
  'writes beside its folder': 'touch $0/stolen',
  'changes the install of another': 'echo more >> $0/installs/other/index.js',
  'removes the install of another': 'rm -r $0/installs/other',
  'puts a program on the way of its user': 'echo more > $0/path/stolen',
  'changes the manager': 'echo >> $0/path/pipx && echo changed',
  'moves the folder of its user': 'mv $0/secret $0/stolen',
}

describe('a package whose code runs while it is installed', () => {
  /** What came of a theft: what was read, or was changed outside. */
  async function attempt(theft: string, isolation: 'auto' | 'none'): Promise<string[]> {
    const other = join(bed.installDir, 'other/index.js')
    mkdirSync(dirname(other), { recursive: true })
    writeFileSync(other, 'genuine')
    writeFileSync(join(bed.folder, 'secret'), 'a secret')
    const steal = `sh -c '${thefts[theft]}' ${bed.folder} > "$PIPX_HOME.got" 2>&-`
    put('pipx', `${steal}\n${fakes.pipx}`)
    expect(await bed.open({ isolation }).install(packaged('pipx'))).toEqual({ ok: true })
    const [got = ''] = globSync(join(bed.installDir, '*/files/home.got'))
    return [
      readFileSync(got, 'utf8'),
      ...globSync(join(bed.folder, '{.,path}/stolen')),
      ...(existsSync(other) && readFileSync(other, 'utf8') === 'genuine' ? [] : ['changed']),
    ].filter(Boolean)
  }

  it.each(Object.keys(thefts))('%s where nothing walls it: the attack is a real one', async (theft) =>
    expect(await attempt(theft, 'none')).not.toEqual([]),
  )

  verifies.each('wall.plugin.install')(Object.keys(thefts))('gets nothing where it %s', async (theft) =>
    expect(await attempt(theft, 'auto')).toEqual([]),
  )
})
