// Alone: it fills the memory of the machine.

import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type floods, stealthyFloods } from '../testing/floods.ts'
import { openScene, type Scene, skipWithoutWalls } from '../testing/hostile-scene.ts'

/** How a flood is ended, and what its author reads. */
const ends: Readonly<Record<keyof typeof floods, RegExp>> = {
  'has others fill memory': /bytes of memory/,
  'forks without end': /more than 256 processes/,
  'fills its folder': /folder holds more than 2147483648 bytes/,
  'fills its folder with files': /folder holds more than 50000 files/,
}

describe('a plugin behind walls', () => {
  skipWithoutWalls()
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('bubblewrap')
  })
  afterAll(() => scene.close())

  verifies.each('wall.plugin.bounds')(Object.entries(ends))('is ended where it %s', async (tool, says) => {
    const outcome = await scene.attack(tool)
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    expect(JSON.stringify(outcome)).toMatch(says)
  })
})

describe('a plugin behind walls that may hold 768 MiB, and 256 MiB on disk', () => {
  skipWithoutWalls()
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('bubblewrap', {
      // Node does not start with less than 600.
      PLUGIN_MEMORY_MAX_BYTES: 805_306_368,
      PLUGIN_DISK_MAX_BYTES: 268_435_456,
      PLUGIN_THREADS_MAX: 64,
    })
  })
  afterAll(() => scene.close())

  verifies.each('wall.plugin.bounds')(
    Object.entries(stealthyFloods).map(([tool, [, says]]) => [tool, says] as const),
  )('is ended where it %s', async (tool, says) => {
    const outcome = await scene.attack(tool)
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    expect(JSON.stringify(outcome)).toMatch(says)
  })
})

describe('a plugin behind walls that may use 4 seconds of CPU', () => {
  skipWithoutWalls()
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('bubblewrap', { PLUGIN_CPU_MAX_S: 4 })
  })
  afterAll(() => scene.close())

  verifies('wall.plugin.bounds', 'is ended where those that it starts use more together', async () => {
    const outcome = await scene.attack('has others burn CPU')
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    expect(JSON.stringify(outcome)).toMatch(/used more than 4 seconds of CPU/)
  })
})

describe('plugins of a user who may have 700 MB of memory', () => {
  skipWithoutWalls()
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene('bubblewrap', { USER_MEMORY_MAX_BYTES: 700_000_000 })
  })
  afterAll(() => scene.close())

  verifies('wall.plugin.shares', 'lose one where three hold more, and no other user does', async () => {
    const leave = new AbortController()
    const users = ['eve', 'eve', 'eve', 'ada', 'ada']
    const ended: string[] = []
    const calls = users.map((user) =>
      scene.attackAs(user, 'holds memory as long as it may', leave.signal).then((outcome) => {
        if (!leave.signal.aborted) ended.push(user)
        return outcome
      }),
    )
    const first = await Promise.race(calls)
    expect(JSON.stringify(first)).toMatch(/more than 700000000 bytes of memory, and/)
    // What is left of the user is below the bound: nobody else is looked for.
    const next = scene.attackAs('ada', 'reads /etc/shadow', leave.signal)
    expect(await next).toMatchObject({ ok: true, payload: { got: null } })
    expect(ended).toEqual(['eve'])
    leave.abort()
    await Promise.all(calls)
  })
})
