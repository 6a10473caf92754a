import { readFileSync } from 'node:fs'
import path from 'node:path'
import { themeVariables } from '@svc/contract/theme'
import { expect, it } from 'vitest'
import { themeStyles } from './theme-styles.ts'

const sheet = readFileSync(path.join(import.meta.dirname, '../styles/page.css'), 'utf8')
/** The library of the page's controls has these. */
const ofMantine = ['--mantine-font-family', '--mantine-font-family-monospace']

it('gives each variable the value of one that the page has', () => {
  const own = [...sheet.matchAll(/^ {2}(--[a-z-]+):/gm)].map(([, name]) => String(name))
  const root = document.createElement('div')
  for (const name of [...own, ...ofMantine]) root.style.setProperty(name, name)
  document.body.append(root)
  const { variables } = themeStyles(root)
  expect(Object.keys(themeVariables)).toEqual(expect.arrayContaining(Object.keys(variables)))
  expect(Object.keys(variables).length).toBe(14)
  expect(variables).toMatchObject({
    '--color-background-primary': '--surface',
    '--font-sans': '--mantine-font-family',
  })
})

it('gives nothing where the page has no such variables', () => {
  expect(themeStyles(document.createElement('div'))).toEqual({ variables: {} })
})
