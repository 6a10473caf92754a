import { expect, it } from 'vitest'
import { checkLocalFile } from './local-file.ts'

const local = (path: string) => ({ distribution: { type: 'local', path } as const })

function said(file: Parameters<typeof checkLocalFile>[0], isLoopback: boolean): string[] {
  const lines: string[] = []
  checkLocalFile(file, { isLoopback }, (line) => void lines.push(line))
  return lines
}

it('refuses a file that is not here where the host is on this machine', () => {
  expect(() => said(local('/no-such/plugin.mjs'), true)).toThrow('/no-such/plugin.mjs is not on this machine')
})

it.each([
  ['a file that is here', local(import.meta.filename), true, []],
  ['no distribution', { distribution: undefined }, true, []],
  [
    'a file that a runner may have',
    local('/no-such/plugin.mjs'),
    false,
    ['/no-such/plugin.mjs is not on this machine; a runner looks for it on its own'],
  ],
])('takes %s', (_, file, isLoopback, lines) => {
  expect(said(file, isLoopback)).toEqual(lines)
})
