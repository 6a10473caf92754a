import { readFileSync } from 'node:fs'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { themeVariables } from '@svc/contract/theme'
import { beforeEach, expect, it } from 'vitest'
import { createEventHub } from './events.ts'
import type { HostContext } from './index.ts'
import { followTheme } from './theme.ts'

const root = document.documentElement
const sheet = readFileSync(path.join(import.meta.dirname, 'theme.css'), 'utf8')

beforeEach(() => {
  root.removeAttribute('style')
  root.removeAttribute('lang')
  delete root.dataset.theme
})

function open(context?: HostContext) {
  const hub = createEventHub()
  const stop = followTheme({ context, on: hub.on })
  const tell = (news: Partial<HostContext>) =>
    hub.emit('context', { theme: 'light', locale: 'en', focused: true, ...news })
  return { stop, tell }
}
const look = () => [root.dataset.theme, root.lang, root.getAttribute('style')]

it('has the look of before at once, and of each change until it is stopped', () => {
  const { stop, tell } = open({ theme: 'dark', locale: 'de', focused: false })
  expect(look()).toEqual(['dark', 'de', 'color-scheme: dark;'])
  tell({ theme: 'light', locale: '' })
  expect(look()).toEqual(['light', 'de', 'color-scheme: light;'])
  stop()
  tell({ theme: 'dark' })
  expect(root.dataset.theme).toBe('light')
})

verifies('theme.variables', 'follows the variables of the page, and drops those that are gone', () => {
  const { tell } = open()
  const given = (variables: Record<`--${string}`, string>) => {
    tell({ styles: { variables } })
    return ['--color-accent', '--own'].map((name) => root.style.getPropertyValue(name))
  }
  expect(given({ '--color-accent': 'light-dark(red, blue)', '--own': '1px' })).toEqual([
    'light-dark(red, blue)',
    '1px',
  ])
  expect(given({ '--own': '2px' })).toEqual(['', '2px'])
  tell({})
  expect(look()).toEqual(['light', 'en', 'color-scheme: light;'])
})

verifies('theme.names', 'sets nothing but variables', () => {
  const { tell } = open()
  tell({ styles: { variables: { display: 'none', '--a': '1' } as never } })
  expect(root.getAttribute('style')).toBe('color-scheme: light; --a: 1;')
})

verifies(
  'theme.defaults',
  'the sheet has a default for each variable of the table, and uses no others',
  () => {
    const names = (text: RegExp) => [...new Set([...sheet.matchAll(text)].map(([, name]) => name))].sort()
    const known = [...Object.keys(themeVariables), '--hue'].sort()
    expect(names(/^ +(--[a-z-]+):/gm)).toEqual(known)
    expect(known).toEqual(expect.arrayContaining(names(/var\((--[a-z-]+)/g)))
  },
)
