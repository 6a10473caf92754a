import { describe, expect, it } from 'vitest'
import { commands } from '../commands/commands.ts'
import { lineAgain, typed } from './typed.ts'

const agent = (name: string) => ({ npm_config_user_agent: `${name}/1.0.0 node/v24` })

describe('a command in a hint', () => {
  it.each([
    ['npm', 'npx svc app push'],
    ['pnpm', 'pnpm exec svc app push'],
    ['yarn', 'yarn svc app push'],
    ['bun', 'bunx svc app push'],
    ['other', 'svc app push'],
  ])('is as users of %s type it', (name, line) => {
    expect(typed('Push it first: svc app push', agent(name))).toBe(`Push it first: ${line}`)
  })

  it.each(Object.keys(commands))('svc %s is one', (name) => {
    expect(typed(`svc ${name}`, agent('npm'))).toBe(`npx svc ${name}`)
  })

  it.each(['an error inside svc itself', 'npx svc dev', '@svc/cli svc-data', 'svc devil'])(
    '%s stays',
    (text) => {
      expect(typed(text, agent('npm'))).toBe(text)
    },
  )

  it('is svc where no package manager started it', () => {
    expect(typed('svc dev my-app', {})).toBe('svc dev my-app')
  })
})

describe('the line that starts a command again', () => {
  const words = ['.', 'notes']
  const more = (kept: readonly string[]) => [...kept, '--port', '1']
  it.each([
    ['npm', 'start', 'svc dev .', 'npm start -- notes --port 1'],
    ['npm', 'dev', 'svc dev .', 'npm run dev -- notes --port 1'],
    ['pnpm', 'dev', 'svc dev .', 'pnpm run dev notes --port 1'],
    ['yarn', 'dev', 'svc dev .', 'yarn run dev notes --port 1'],
    ['bun', 'dev', 'svc dev .', 'bun run dev notes --port 1'],
    // Words behind such a script go to another program, or into its quotes.
    ['npm', 'dev', 'svc dev . & tsc --watch', 'npx svc dev . notes --port 1'],
    ['npm', 'dev', 'concurrently "svc dev ." "tsc"', 'npx svc dev . notes --port 1'],
  ])('by %s, in the script %s: %s', (name, event, text, line) => {
    expect(lineAgain('svc dev', words, more, agent(name), { event, text })).toBe(line)
  })

  it.each([
    ['npm', 'npx svc dev . notes --port 1'],
    ['pnpm', 'pnpm exec svc dev . notes --port 1'],
    ['', 'svc dev . notes --port 1'],
  ])('by %s without a script', (name, line) => {
    expect(lineAgain('svc dev', words, more, agent(name), null)).toBe(line)
  })
})
