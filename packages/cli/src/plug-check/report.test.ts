import { requirements } from '@svc/conformance/requirements'
import { describe, expect, it } from 'vitest'
import { broken, type Check, passed, type Verdict } from './check.ts'
import { checks } from './check-plugin.ts'
import { manifestProblems } from './manifest-check.ts'
import { reportOf, rowOf, sumOf } from './report.ts'

const ids: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))

it.each(checks.map((check) => [check.name, check] as const))(
  'proves a requirement: %s',
  (_, { id, hint }) => {
    expect(ids).toContain(id)
    expect(hint).toMatch(/\S/)
  },
)

const check: Check = { id: 'stdio.alive', name: 'lives', hint: 'Read on.', run: async () => passed() }
const finding = (verdict: Verdict) => ({ check, verdict, ms: 3 })
const leftOut: Verdict = { kind: 'left_out', why: 'no call' }

describe('what is printed', () => {
  it.each([
    ['a check that holds', passed('twice'), /^ {2}✓ lives +stdio\.alive {2}\(twice\)$/],
    ['one that was not tried', leftOut, /^ {2}– lives +stdio\.alive {2}\(not tried: no call\)$/],
    ['one that is broken', broken('it ended'), /^ {2}✗ lives +stdio\.alive\n {6}it ended\n {6}→ Read on\.$/],
  ])('%s has a row', (_, verdict, row) => {
    expect(rowOf(finding(verdict))).toMatch(row)
  })

  it('ends with a sum, and tells a program the same', () => {
    const findings = [finding(passed()), finding(leftOut), finding(broken('it ended'))]
    expect(sumOf(findings)).toBe('1 of 2 checks hold, 1 not tried')
    const common = { id: 'stdio.alive', name: 'lives', ms: 3 }
    expect(reportOf(findings)).toEqual({
      ok: false,
      checks: [
        { ...common, verdict: 'held' },
        { ...common, verdict: 'left_out', why: 'no call' },
        { ...common, verdict: 'broken', problems: ['it ended'], hint: 'Read on.' },
      ],
    })
    expect(reportOf(findings.slice(0, 2)).ok).toBe(true)
  })
})

it.each([
  ['no object', [], ['the result of describe must be an object']],
  ['no tools', { name: 'a' }, ['tools must be an array']],
  [
    'all that is wrong at once',
    { name: '', version: 'one', tools: [{ name: 'a' }, { name: 'a' }] },
    [
      'name must have at least 1 character, got ""',
      'version must be SemVer such as 1.0.0, got "one"',
      'tools.1.name is listed twice among the tools, got "a"',
    ],
  ],
  ['nothing', { name: 'a', tools: [] }, []],
])('names what is wrong with a manifest: %s', (_, manifest, problems) => {
  expect(manifestProblems(manifest)).toEqual(problems)
})
