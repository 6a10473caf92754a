import { verifies } from '@svc/conformance/verifies'
import type { ModelPreferences } from '@svc/contract'
import { expect, it } from 'vitest'
import { devModel } from './dev-model.ts'
import { choose } from './models.ts'

const model = (modelId: string) => ({ ...devModel(), modelId })
const candidates = [
  ['default', { model: model('gpt-9-mini'), cost: 0.2, speed: 0.8, intelligence: 0.4 }],
  ['clever', { model: model('claude-9'), cost: 0.9, speed: 0.3, intelligence: 1 }],
  ['clever-fast', { model: model('claude-9-fast'), cost: 1, speed: 0.9, intelligence: 0.8 }],
  ['plain', { model: model('llama') }],
] as const

const chosen = (preferences: ModelPreferences, granted?: readonly string[]) =>
  choose(candidates, preferences, granted)[0]
const hints = (...names: string[]) => ({ hints: names.map((name) => ({ name })) })

verifies.each('llm.complete.preferences')([
  ['nothing', {}, 'default'],
  ['a name', hints('plain'), 'plain'],
  ['an id', hints('llama'), 'plain'],
  ['the beginning of an id', hints('claude'), 'clever'],
  ['capitals', hints('LLaMa'), 'plain'],
  ['the middle of an id', hints('9-mini'), 'default'],
  ['a hint that nothing fits, then one', hints('gemini', 'clever-f', 'plain'), 'clever-fast'],
  ['hints that nothing fits', hints('gemini', 'x'), 'default'],
  ['a hint for two, and speed', { ...hints('claude'), speedPriority: 1 }, 'clever-fast'],
  ['a hint for one, and another one is cheaper', { ...hints('claude-9-'), costPriority: 1 }, 'clever-fast'],
  ['a low price', { costPriority: 1 }, 'default'],
  ['speed', { speedPriority: 1 }, 'clever-fast'],
  ['ability', { intelligencePriority: 1 }, 'clever'],
  ['ability, and the price twice as much', { intelligencePriority: 0.5, costPriority: 1 }, 'default'],
  ['priorities of nothing', { costPriority: 0, speedPriority: 0, intelligencePriority: 0 }, 'default'],
])('%s', (_name, preferences: ModelPreferences, name) => {
  expect(chosen(preferences)).toBe(name)
})

verifies.each('decision.models.granted')([
  [['clever'], {}, 'clever'],
  [['claude-9'], {}, 'clever'],
  [['plain', 'clever'], hints('gpt'), 'clever'],
  [['plain', 'clever'], { speedPriority: 1 }, 'plain'],
  [['plain', 'unknown'], hints('claude'), 'plain'],
])('of %j with %j', (granted, preferences, name) => {
  expect(chosen(preferences, granted)).toBe(name)
})

it.each([[[]], [['unknown']], [['clev']]])('of %j there is none', (granted) => {
  expect(() => chosen({}, granted)).toThrow('this app may use none of the models of this host')
})
