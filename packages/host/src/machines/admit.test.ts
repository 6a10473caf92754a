import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { admit, confirm } from './admit.ts'

/** What somebody has who shows a token: what is stored outlives a crash. */
interface Holder {
  readonly key: string
  stored: number
}
interface Row {
  readonly token_hash: string
  readonly next_token_hash: string | null
  readonly key: string | null
}

/** How far a link comes before it is cut. */
const cuts = ['before the welcome', 'before it is stored', 'before the host hears', 'after that'] as const
const steps = fc.record({
  who: fc.constantFrom('machine', 'token thief', 'clone'),
  cut: fc.constantFrom(...cuts),
})

/** Tokens are numbers in the order in which they are made; the first is 0. */
function openModel() {
  let row: Row = { token_hash: 'token-0', next_token_hash: null, key: null }
  let made = 0
  return {
    row: () => row,
    link(holder: Holder, cut: (typeof cuts)[number]): 'in' | 'token' | 'key' {
      made += 1
      const next = made
      const shown = { tokenHash: `token-${holder.stored}`, key: holder.key }
      const admitted = admit(row, shown, `token-${next}`)
      if (typeof admitted === 'string') return admitted
      row = admitted
      const at = cuts.indexOf(cut)
      if (at >= 2) holder.stored = next
      if (at >= 3) row = confirm(row)
      return 'in'
    },
  }
}

verifies(
  ['link.token.kept', 'link.key'],
  'whatever is cut, the machine comes in with what it stored, and no other key does',
  () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (all) => {
        const model = openModel()
        const machine: Holder = { key: 'own', stored: 0 }
        expect(model.link(machine, 'before the welcome')).toBe('in')
        for (const { who, cut } of all) {
          if (who === 'machine') expect(model.link(machine, cut)).toBe('in')
          const thief: Holder = { key: 'another', stored: machine.stored }
          const before = model.row()
          if (who === 'token thief') expect(model.link(thief, cut)).toBe('key')
          if (who === 'token thief') expect(model.row()).toBe(before)
        }
        expect(model.link(machine, 'after that')).toBe('in')
      }),
    )
  },
)

verifies(
  'link.token.rotates',
  'of a machine and a clone with its key at most one goes on, and the other is told',
  () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (all) => {
        const model = openModel()
        const machine: Holder = { key: 'own', stored: 0 }
        model.link(machine, 'after that')
        const clone: Holder = { ...machine }
        for (const { who, cut } of all) model.link(who === 'clone' ? clone : machine, cut)
        const both = [model.link(machine, 'after that'), model.link(clone, 'after that')]
        // The clone shows what is older than the machine's last stored token, so that it is worth nothing.
        expect(both.filter((one) => one === 'in')).toHaveLength(1)
        expect(both.filter((one) => one === 'token')).toHaveLength(1)
      }),
    )
  },
)

verifies('link.token.rotates', 'a token is worth nothing once the next one is stored', () => {
  const model = openModel()
  const machine: Holder = { key: 'own', stored: 0 }
  const old: Holder = { ...machine }
  expect(model.link(machine, 'before the host hears')).toBe('in')
  expect(model.link({ ...old }, 'before the welcome')).toBe('in')
  const again: Holder = { ...old }
  expect(model.link(again, 'after that')).toBe('in')
  expect(model.link(old, 'after that')).toBe('token')
})
