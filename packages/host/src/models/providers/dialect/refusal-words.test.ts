import { expect, it } from 'vitest'
import { refusalWords } from './refusal-words.ts'

const refusal = (body: unknown) =>
  refusalWords({ statusCode: 422, responseBody: typeof body === 'string' ? body : JSON.stringify(body) })

it.each([
  ['FastAPI', { detail: [{ loc: ['body', 'tools', 0, 'function', 'strict'] }] }, ['tools.function.strict']],
  ['OpenAI', { error: { param: 'tools[0].function.name' } }, ['tools.function.name']],
  ['two in a list', [{ param: 'seed' }, { param: 'user' }], ['seed', 'user']],
  ['words alone', 'no', []],
])('reads what %s names as wrong, each once', (_who, body, named) => {
  expect(refusal(body)?.named).toEqual(named)
})

it.each([[40], [8_000]])('reads %d lists in one another, each once', (deep) => {
  expect(refusal('['.repeat(deep) + ']'.repeat(deep))?.named).toEqual([])
})
