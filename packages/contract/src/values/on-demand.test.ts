import { expect, it } from 'vitest'
import { methodRow } from '../methods/index.ts'
import { routes } from '../routes/index.ts'
import { onDemand } from './on-demand.ts'

it('makes a field when it is first read, once, and leaves others', () => {
  let times = 0
  const make = () => {
    times += 1
    return { times }
  }
  const kept = () => 'kept'
  type Row = { args: { times: number }; result: string; other: () => string }
  const row = onDemand<Row>({ args: make, result: 'text', other: kept }, ['args', 'result', 'missing'])
  expect([times, Object.keys(row)]).toEqual([0, ['args', 'result', 'other']])
  expect(row.args).toBe(row.args)
  expect([times, row.result, row.other]).toEqual([1, 'text', kept])
  expect({ ...row }.args).toBe(row.args)
})

it.each([
  ['a method', methodRow('storage', 'set'), ['args', 'result']],
  ['a route', routes['windows.open'], ['body', 'answer']],
] as const)('%s makes its schemas so', (_, row, names) => {
  for (const name of names) {
    expect(Object.getOwnPropertyDescriptor(row, name)).toMatchObject({
      enumerable: true,
      get: expect.any(Function),
    })
    expect(Reflect.get(row ?? {}, name)).toMatchObject({ parse: expect.any(Function) })
  }
})
