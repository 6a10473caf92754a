import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost, type TestHostOptions } from '@svc/testing'
import { afterEach, expect, it, vi } from 'vitest'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')

let host: TestHost
afterEach(() => host.close())

/** Opens the app on a host whose model gives these answers; without any the host has no model. */
async function open(answers?: NonNullable<TestHostOptions['models']>['default']): Promise<void> {
  host = await createTestHost({
    manifest,
    startsAt: Date.UTC(2026, 0, 1, 23, 59),
    ...(answers && { models: { default: answers } }),
  })
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  await host.openWindow({ document: globalThis })
  vi.resetModules()
  await import('./main.ts')
}
async function digest(text: string): Promise<void> {
  byId('text', HTMLTextAreaElement).value = text
  byId('go').click()
  await host.clock.settled()
}
const textOf = (id: string) => byId(id).textContent
const shown = (key: string) =>
  [...byId(`field-${key}`).querySelectorAll('li')].map(({ textContent }) => textContent)

it('asks for the fields of a text, and shows what a polite model says as texts', async () => {
  const said = [
    'Of course! Here is the digest:\n```json\n{"title": "The end of Krakatoa", ',
    '"summary": "Its waves killed <b>many</b>.", "keyPoints": ["It was heard far away"], ',
    '"people": [{"name": "James Wallis", "role": "heard it"}], "dates": ["27 August 1883"]}\n```',
  ]
  await open([{ text: said, usage: { input: 11, output: 7 } }])
  await digest('Krakatoa, 1883.')
  expect(textOf('title')).toBe('The end of Krakatoa')
  expect(textOf('field-summary')).toBe('Its waves killed <b>many</b>.')
  expect([shown('key_points'), shown('people')]).toEqual([
    ['It was heard far away'],
    ['James Wallis: heard it'],
  ])
  expect(textOf('usage')).toMatch(/^default · 11 tokens in, 7 out, 18 in all · \d+\.\d s$/)
  const [question] = host.questions.default ?? []
  expect(question).toMatchObject({ maxTokens: 1_500 })
  expect(question?.messages[0]?.text).toMatch(/key_points.*-----\nKrakatoa, 1883\.\n-----/s)
})

verifies.each('llm.complete.result')([
  ['without fields', 'I would rather not.', 'stop', 'The model did not answer with the fields'],
  ['that was cut off', '{"title": "The end of', 'length', 'The answer reached its token limit'],
] as const)('shows an answer %s in the words of the model', async (_, text, finish, note) => {
  await open([{ text, finish }])
  await digest('Krakatoa again.')
  expect(textOf('note')).toContain(note)
  expect([textOf('said'), byId('fields').children.length]).toEqual([text, 0])
})

it('cancels on Escape, and the model is let go', async () => {
  await open([{ text: ['{"title":', ' "Krakatoa"}'], everyMs: 10_000 }])
  await digest('Krakatoa for ever.')
  expect(byId('working').hidden).toBe(false)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  await host.clock.settled()
  expect([byId('stopped').hidden, byId('digest').hidden, byId('trouble').hidden]).toEqual([false, true, true])
  expect(byId('text', HTMLTextAreaElement).value).toBe('Krakatoa for ever.')
})

it('says when a quota that is used up is free again', async () => {
  await open(() => '{"title": "Krakatoa"}')
  await host.fault.spendQuota('completions_per_day')
  await digest('Krakatoa at last.')
  expect(textOf('trouble')).toMatch(/^completions_per_day is \d+; .* You can go on from /)
  expect(byId('trouble').querySelector('time')?.dateTime).toBe('2026-01-02T00:00:00.000Z')
  await host.clock.advance(60_000)
  await digest('Krakatoa at last.')
  expect([textOf('title'), byId('trouble').hidden]).toEqual(['Krakatoa', true])
})

it('shows why a model failed, and asks it again', async () => {
  await open([{ error: { status: 400 } }, '{"title": "Krakatoa"}'])
  await digest('Krakatoa.')
  expect(textOf('trouble')).toMatch(/^the model "default" refused the request/)
  await digest('Krakatoa.')
  expect(textOf('title')).toBe('Krakatoa')
})

it('says that it needs a model where the host has none', async () => {
  await open()
  expect(textOf('trouble')).toMatch(/^This host has no models .*llm\.complete/)
})
