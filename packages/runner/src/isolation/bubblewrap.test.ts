import { existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, describe, expect } from 'vitest'
import { bubblewrap, type Cell } from './bubblewrap.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-bubblewrap-'))
const at = (path: string) => join(root, path)
for (const folder of ['app/.git', 'installs/own', 'data', 'bare']) mkdirSync(at(folder), { recursive: true })
for (const file of ['app/.env', 'app/.env.local', 'app/.npmrc', 'data/.env']) writeFileSync(at(file), '')
afterAll(() => rmSync(root, { recursive: true }))

/** The system of this machine, as a program finds it. */
const system = [
  ...['/usr', '/nix/store', '/gnu/store']
    .filter((path) => existsSync(path))
    .map((path) => ['--ro-bind', path, path]),
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
    .filter((path) => existsSync(path))
    .map((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
].flat()
const shown = [
  ...['ssl', 'pki', 'ca-certificates', 'alternatives', 'crypto-policies'].map((name) => `/etc/${name}`),
  ...['/etc/ssl/private', '/etc/pki/tls/private'].filter((path) => existsSync(path)),
  ...['/var/lib/gems', '/var/cache/fontconfig'],
].flatMap((path) =>
  path.endsWith('private') ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind-try', path, path],
)
const bounds = { ...limits, PLUGIN_SHARED_MEMORY_MAX_BYTES: 1_000, PLUGIN_TMP_MAX_BYTES: 2_000 }
const wordsOf = (cell: Partial<Cell>, options?: { noNestedUsers: boolean }) =>
  bubblewrap(
    {
      view: { readable: [], writable: [] },
      folder: '/own',
      cache: undefined,
      filter: undefined,
      etc: undefined,
      cwd: '/work',
      installed: [],
      reached: [],
      hidden: [],
      ...cell,
    },
    bounds,
    options,
  ).join(' ')

/** Written by hand, in the order of the command: what comes later covers what came before. */
const begin = (more = '', etc = '') =>
  `bwrap --unshare-all --unshare-user${more} --die-with-parent --cap-drop ALL --hostname plugin ${system.join(' ')}${etc} ` +
  `${shown.join(' ')} --proc /proc --remount-ro /proc --dev /dev ` +
  '--size 1000 --tmpfs /dev/shm --remount-ro /dev --size 2000 --tmpfs /tmp --dir /tmp/home'
const end = '--remount-ro / --chdir /work --'

describe('the walls of a process', () => {
  verifies('wall.plugin.view', 'keep a link that is seen a link, and go around no folder with it', () => {
    const links = [{ path: '/run/now/x', to: '/opt/x/bin/x' }]
    expect(wordsOf({ view: { readable: ['/opt/x'], writable: [], links } })).toContain(
      '--ro-bind /opt/x /opt/x --symlink /opt/x/bin/x /run/now/x --bind /own /own',
    )
  })

  verifies('wall.plugin.view', 'show nothing but the system and its own folder', () => {
    expect(wordsOf({})).toBe(`${begin(' --disable-userns')} --bind /own /own ${end}`)
  })

  verifies(
    'wall.plugin.kernel',
    'do without what old versions of bubblewrap lack, where that is said',
    () => {
      expect(wordsOf({}, { noNestedUsers: false })).toBe(`${begin()} --bind /own /own ${end}`)
    },
  )

  verifies(
    ['wall.plugin.view', 'wall.plugin.network', 'wall.plugin.kernel'],
    'show what its cell has',
    () => {
      expect(wordsOf({ filter: '/filter', etc: '/made', cache: '/cache', egress: '/way/egress.sock' })).toBe(
        `${begin(' --disable-userns --seccomp 6', ' --ro-bind /made /etc')} --bind /own /own ` +
          `--bind /cache /cache --ro-bind /way/egress.sock /run/svc-egress.sock ${end}`,
      )
    },
  )

  verifies(
    'wall.plugin.view',
    'cover the secrets beside code that is shown, and of what may be written none',
    () => {
      const [app, data] = [at('app'), at('data')]
      expect(wordsOf({ view: { readable: [app, at('bare')], writable: [data] } })).toBe(
        `${begin(' --disable-userns')} --ro-bind ${app} ${app} --ro-bind ${at('bare')} ${at('bare')} ` +
          `--ro-bind /dev/null ${app}/.env --ro-bind /dev/null ${app}/.env.local --ro-bind /dev/null ${app}/.npmrc ` +
          `--tmpfs ${app}/.git --remount-ro ${app}/.git --bind ${data} ${data} --bind /own /own ${end}`,
      )
    },
  )

  verifies(
    'wall.plugin.view',
    'hide the folders of the runner in what is shown, but what it was installed',
    () => {
      const [installs, own] = [at('installs'), at('installs/own')]
      const hidden = [installs]
      expect(wordsOf({ view: { readable: [own], writable: [root] }, hidden })).toBe(
        `${begin(' --disable-userns')} --ro-bind ${own} ${own} --bind ${root} ${root} --tmpfs ${installs} ` +
          `--ro-bind ${own} ${own} --bind /own /own --remount-ro ${installs} ${end}`,
      )
      const inside = (more = '') =>
        `${begin(' --disable-userns')} --ro-bind ${root} ${root} --tmpfs ${installs} ` +
        `${more}--bind /own /own --remount-ro ${installs} ${end}`
      const view = { readable: [root], writable: [] }
      expect(wordsOf({ view, hidden })).toBe(inside())
      expect(wordsOf({ view, hidden, installed: [own] })).toBe(inside(`--ro-bind ${own} ${own} `))
    },
  )
})
