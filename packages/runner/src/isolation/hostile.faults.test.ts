import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attacks } from '../testing/attacks.ts'
import { openScene, type Scene, SECRET, skipWithoutWalls } from '../testing/hostile-scene.ts'

/** Names of the folder in which all of a scene lies. */
const ways = {
  'the folder above': ({ folder }) => folder,
  'a link to the folder above': ({ alias }) => alias,
  'the folder above with two slashes': ({ folder }) => `/${folder}`,
} satisfies Record<string, (at: { readonly folder: string; readonly alias: string }) => string>
type Way = keyof typeof ways
const withoutLink = (Object.keys(ways) as Way[]).filter((way) => way !== 'a link to the folder above')

/** Attacks that do no harm where they succeed. */
const harmless: readonly (keyof typeof attacks)[] = [
  'reads the environment of the runner',
  'reads the memory of the runner',
  'finds a process that is not its own',
  'reads a file of the host',
  'reads the home of the user',
  'reads the install of another',
  'reads the state of the machine',
  'follows a link out of its folder',
  'reaches the loopback of the host',
  'sends a datagram to the host',
  'reaches a socket of the host',
  'reaches an abstract socket of the host',
  'signals the runner',
  'may gain privileges',
  'reads /etc/shadow',
  'fills the memory of /tmp',
  'lets itself be traced',
  'traces a child',
  'opens a ring of calls',
  'handles page faults itself',
  'takes the requests of all programs of the machine',
  'has the kernel filter what its socket gets',
]

/** Of those, what a machine allows to root alone. */
const ofRoot: readonly string[] = ['reads /etc/shadow', 'handles page faults itself']

/** Puts a link in the place of a folder, and back, as fast as it can (`renameat2` with `RENAME_EXCHANGE`). */
const SWAP = `
$| = 1; chdir shift; print "ready"; my ($x, $y) = ("x", "y");
while (1) { syscall(316, -100, $x, -100, $y, 2) }`
const STARTS = rounds(1_000, 40)

describe('a plugin without walls', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('marked')
  })
  afterAll(() => scene.close())

  it.for(harmless)('gets what it wants where it %s: the attack is a real one', async (tool, { skip }) => {
    skip(process.getuid?.() !== 0 && ofRoot.includes(tool), 'another user than root may not do this at all')
    const outcome = await scene.attack(tool)
    expect(outcome).toMatchObject({ ok: true })
    expect(outcome.ok && (outcome.payload as { got: unknown }).got).not.toBeNull()
  })
})

describe('a plugin behind walls', () => {
  skipWithoutWalls()
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('bubblewrap')
  })
  afterAll(() => scene.close())

  verifies.each(['wall.plugin.view', 'wall.plugin.network', 'wall.plugin.kernel'])(Object.keys(attacks))(
    'gets nothing where it %s',
    async (tool) => expect(await scene.attack(tool)).toMatchObject({ ok: true, payload: { got: null } }),
  )

  verifies.each('wall.plugin.view')(
    [
      'reads the install of another',
      'writes the install of another',
      'reads the state of the machine',
    ].flatMap((tool) => withoutLink.map((way) => [way, tool] as const)),
  )('that reads %s gets nothing where it %s', async (way, tool) =>
    expect(await scene.attackFrom(tool, ways[way](scene))).toMatchObject({
      ok: true,
      payload: { got: null },
    }),
  )

  verifies.each('wall.plugin.view')(Object.keys(ways) as Way[])(
    'is not started where it may write %s, and so rename the state of the machine',
    async (way) => {
      const outcome = await scene.attackFrom('writes the install of another', ways[way](scene), 'write')
      expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
      expect(JSON.stringify(outcome)).toMatch(/it may write \S+, which contains folders of svc/)
    },
  )

  verifies('wall.plugin.view', 'is not started where it reads a link to the folder above', async () => {
    const outcome = await scene.attackFrom('reads the state of the machine', scene.alias)
    expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
    expect(JSON.stringify(outcome)).toMatch(/it reaches \S+ over a link: name \S+, where that leads/)
  })

  verifies.each('wall.plugin.view')(withoutLink)(
    'that reads %s gets nothing of a state of the machine that comes while it runs',
    async (way) => {
      const state = join(scene.folder, way.replaceAll(' ', '-'), 'svc')
      scene.runner.hide(state)
      const reads = () => scene.readsFrom(ways[way](scene), join(state, 'key.pem'))
      const before = await reads()
      expect(before).toMatchObject({ ok: true, payload: { got: null } })
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, 'key.pem'), SECRET)
      // The same process, which is still warm, gets no more of it.
      expect(await reads()).toMatchObject({ ok: true, payload: before.ok ? before.payload : undefined })
    },
  )

  verifies('wall.plugin.view', 'is not started where it reaches into the state of the machine', async () => {
    const outcome = await scene.attackFrom('reads the state of the machine', join(scene.folder, 'state'))
    expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
    expect(JSON.stringify(outcome)).toMatch(/it reaches \S+, which belongs to svc/)
  })

  verifies(
    'wall.plugin.view',
    'sees no other folder that is put in the place of one that it reaches',
    async ({ skip }) => {
      skip(process.arch !== 'x64', 'the number of the call that swaps is that of Linux on x64')
      const folder = join(scene.folder, 'swapped')
      mkdirSync(join(folder, 'x'), { recursive: true })
      symlinkSync(join(scene.folder, 'state'), join(folder, 'y'))
      const swapper = spawn('perl', ['-e', SWAP, folder], { stdio: ['ignore', 'pipe', 'ignore'] })
      await once(swapper.stdout, 'data')
      const got: unknown[] = []
      for (let start = 0; start < STARTS; start++) {
        const outcome = await scene.readsFrom(join(folder, 'x'), join(scene.folder, 'key.pem'), `eve${start}`)
        got.push(outcome.ok ? (outcome.payload as { got: unknown }).got : outcome.code)
      }
      swapper.kill('SIGKILL')
      await once(swapper, 'exit')
      expect(got.filter((one) => ![null, 'plug_unavailable', 'plug_error'].includes(one as null))).toEqual([])
    },
  )
})
