import { offlineProblem, unaskedProblem } from '@svc/contract/browser'
import { describe, expect, it } from 'vitest'
import { plugOf } from '../testing/manage-rows.ts'
import { pluginNews, pluginStatus } from './plugin-status.ts'

describe('how a plugin stands', () => {
  it.each([
    ['tool', { status: 'available' }, 'available', 'One of your runners has it ready.'],
    ['tool', { status: 'deploying', problem: null }, 'deploying', 'It is being installed on a runner.'],
    ['tool', { status: 'unavailable', problem: 'npm is not there' }, 'unavailable', 'npm is not there'],
    [
      'tool',
      { status: 'unavailable', problem: unaskedProblem },
      'not installed yet',
      'It is installed when an app first asks for it.',
    ],
    [
      'tool',
      { status: 'unavailable', problem: offlineProblem },
      'no machine online',
      'It runs as soon as one of your machines is online.',
    ],
    ['tool', {}, 'published', 'It is installed once an app uses it.'],
    ['tool', { status: 'available', configured: true }, 'available', 'This host runs it for everybody.'],
    ['tool', { status: 'unavailable', problem: 'it ended', configured: true }, 'unavailable', 'it ended'],
    ['skill', { status: 'available' }, 'skill', 'A skill has no process: it is read, never called.'],
  ] as const)('%s %j', (type, standing, word, sentence) =>
    expect(pluginStatus(type, standing)).toMatchObject({ word, sentence }),
  )

  it('is no error where nobody has asked for it', () => {
    expect(pluginStatus('tool', { status: 'unavailable', problem: unaskedProblem }).tone).toBe('still')
    expect(pluginStatus('tool', { status: 'unavailable', problem: offlineProblem }).tone).toBe('still')
    expect(pluginStatus('tool', { status: 'unavailable', problem: 'npm is not there' }).tone).toBe('bad')
  })
})

describe('a plugin that stands otherwise', () => {
  const deploying = plugOf('weather', { status: 'deploying' })
  it.each([
    [
      'is ready',
      plugOf('weather', { status: 'available' }),
      ['weather is available. One of your runners has it ready.'],
    ],
    [
      'cannot be had',
      plugOf('weather', { status: 'unavailable', problem: 'npm is not there' }),
      ['weather is unavailable. npm is not there'],
    ],
    ['stands as it did', deploying, []],
    ['is another', plugOf('maps', { status: 'available' }), []],
  ])('is told when it %s', (_, after, news) =>
    expect([...pluginNews([deploying], [after]).values()]).toEqual(news),
  )
})
