import { describe, expect, it } from 'vitest'
import { standingOf } from './standing.ts'

describe('how a plugin stands', () => {
  it.each([
    ['tool', { status: 'available' }, 'available', 'A runner of yours has it ready.'],
    ['tool', { status: 'deploying', problem: null }, 'deploying', 'It is being installed on a runner.'],
    ['tool', { status: 'unavailable', problem: 'npm is not there' }, 'unavailable', 'npm is not there'],
    ['tool', {}, 'published', 'It is installed once an app uses it.'],
    ['skill', { status: 'available' }, 'skill', 'A skill has no process: it is read, never called.'],
  ] as const)('%s %j', (type, standing, word, sentence) =>
    expect(standingOf(type, standing)).toMatchObject({ word, sentence }),
  )
})
