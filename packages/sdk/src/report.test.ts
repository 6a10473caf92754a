import { expect, it } from 'vitest'
import { createReporter, type ErrorReport } from './report.ts'

function reporter() {
  const reports: ErrorReport[] = []
  let now = 0
  const report = createReporter(
    async (sent) => {
      reports.push(sent)
      throw new Error('the report failed')
    },
    () => now,
  )
  return {
    reports,
    report,
    pass: (ms: number) => {
      now += ms
    },
  }
}

it('reports each error once a minute', () => {
  const { reports, report, pass } = reporter()
  const error = new TypeError('x is undefined')
  report('error', error)
  report('unhandledrejection', error)
  expect(reports).toMatchObject([
    { message: 'TypeError: x is undefined', stack: error.stack, context: { source: 'error' } },
  ])
  pass(60_000)
  report('error', error)
  expect(reports).toHaveLength(2)
})

it('reports ten different ones a minute', () => {
  const { reports, report } = reporter()
  for (let at = 0; at < 50; at++) report('error', `error ${at}`)
  expect(reports).toHaveLength(10)
})

const hostile = {
  toString() {
    throw new Error('no text')
  },
}

it.each([
  ['a text', 'plain', 'plain'],
  ['nothing', undefined, 'undefined'],
  ['an empty text', '', 'an error without a message'],
  ['what has no text', hostile, 'an error without a message'],
  ['a long text', 'x'.repeat(9_000), 'x'.repeat(4_000)],
])('reports %s', (_, thrown, message) => {
  const { reports, report } = reporter()
  report('unhandledrejection', thrown)
  expect(reports).toEqual([{ message, context: { source: 'unhandledrejection' } }])
})
