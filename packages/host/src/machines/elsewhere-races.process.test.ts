import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { CallOutcome } from '@svc/runner'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openMachineHosts } from '../testing/machine-hosts.ts'
import type { MachineMessage, RawMachine } from '../testing/runner-machine.ts'

const RUNS = rounds(1_000, 30)
const HOSTS = 3

/** A call of a host: how often it ended, and how. */
interface Made {
  readonly invokeId: string
  readonly abort: AbortController
  readonly ends: CallOutcome[]
}

async function openScene() {
  const at = await openMachineHosts(HOSTS)
  const links: readonly RawMachine[] = at.machines
  const { publish } = at.bus
  let isDeaf = false
  at.bus.publish = async (...told) => {
    if (!isDeaf) await publish(...told)
  }
  const made: Made[] = []
  let count = 0
  const answered = new Set<string>()
  const host = (n: number) => {
    const one = at.hosts[n % HOSTS]
    if (!one) throw new Error('there is no such host')
    return one
  }
  const callsOf = ({ heard }: RawMachine): readonly MachineMessage[] =>
    heard.filter(({ head }) => head.type === 'call')
  const parts = { at, links, made, answered, callsOf }
  return {
    ...parts,
    connect: (n: number) => host(n).online(),
    /** From here on, or no more, hosts are not told of each other's links. */
    deafen(): void {
      isDeaf = !isDeaf
    },
    call(n: number) {
      const one: Made = { invokeId: `inv_${count++}`, abort: new AbortController(), ends: [] }
      made.push(one)
      const { invokeId, abort } = one
      return host(n)
        .call({ invokeId, signal: abort.signal })
        .then(
          (outcome) => void one.ends.push(outcome),
          // None is online where it is made: that is no call yet.
          () => void made.splice(made.indexOf(one), 1),
        )
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

/** What may happen; `n` says where or to what. */
const happenings = {
  link: ({ connect }: Scene, n: number) => connect(n),
  cut: ({ links }: Scene, n: number) => links[n % links.length]?.ws.terminate(),
  call: ({ call }: Scene, n: number) => call(n),
  cancel: ({ made }: Scene, n: number) => made[n % Math.max(1, made.length)]?.abort.abort('enough'),
  answer: ({ links, callsOf, answered }: Scene, n: number) => {
    const machine = links.at(-1 - (n % 2))
    const asked = machine && callsOf(machine).find(({ head }) => !answered.has(String(head.invoke_id)))
    if (!asked) return
    answered.add(String(asked.head.invoke_id))
    machine.answer(asked, { of: asked.head.invoke_id })
  },
  look: ({ at }: Scene, n: number) => at.hosts[n % HOSTS]?.host.runners.list('ada'),
  deaf: ({ deafen }: Scene) => deafen(),
} as const
type Happening = keyof typeof happenings
const names: readonly Happening[] = [
  ...(Object.keys(happenings) as Happening[]),
  'link',
  'call',
  'call',
  'call',
  'answer',
  'answer',
]
const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 11 }), fc.nat({ max: 4 })), {
  minLength: 4,
  maxLength: 24,
})

async function play(steps: readonly (readonly [Happening, number, number])[]): Promise<Scene> {
  const scene = await openScene()
  await scene.connect(0)
  const under: unknown[] = []
  for (const [name, n, turns] of steps) {
    // A machine that is displaced before its welcome hears none.
    under.push(Promise.resolve(happenings[name](scene, n)).catch(() => {}))
    for (let turn = 0; turn < turns; turn += 1) await pause()
  }
  for (let turn = 0; turn < 20; turn += 1) await pause()
  for (const { ws } of scene.links) ws.terminate()
  // What no link, no notice and no host ended ends by its deadline, by the clocks of its host.
  for (let turn = 0; turn < 20; turn += 1) await pause()
  return scene
}

verifies(
  ['machine.elsewhere.once', 'machine.elsewhere.moved', 'link.once'],
  'wherever a machine links and whoever calls it, each call ends once, and is started once at most',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const scene = await play(steps)
        const { at, made, links, answered, callsOf } = scene
        try {
          await at.advance(5_000)
          await at.advance(20_000 + 3 * limits.LINK_GRACE_MS)
          await expect.poll(() => made.filter(({ ends }) => ends.length === 0)).toEqual([])
          for (const { invokeId, ends } of made) {
            expect(ends).toHaveLength(1)
            const [end] = ends
            if (end?.ok) expect([answered.has(invokeId), end.payload]).toEqual([true, { of: invokeId }])
            else expect(['agent_unavailable', 'cancelled']).toContain(end?.code)
          }
          const started = links.flatMap((machine) => callsOf(machine).map(({ head }) => head.invoke_id))
          expect(new Set(started).size).toBe(started.length)
          for (const { host } of at.hosts)
            expect((await host.runners.list('ada')).map(({ state }) => state)).toEqual(['offline'])
        } finally {
          await at.close()
        }
      }),
      { numRuns: RUNS },
    )
  },
)
