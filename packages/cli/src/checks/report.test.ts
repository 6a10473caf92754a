import { describe, expect, it } from 'vitest'
import { broken, passed, type Verdict } from './check.ts'
import { reportOf, rowOf, sumOf } from './report.ts'

const check = { id: 'stdio.alive', name: 'lives', hint: 'Read on.' }
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
