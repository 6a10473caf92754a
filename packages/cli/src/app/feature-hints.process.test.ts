import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { featureHints } from './feature-hints.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-hints-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function hintsOf(
  sources: Readonly<Record<string, string>>,
  bundle = '',
  connect_src: readonly string[] = [],
) {
  const all = { 'index.html': '<script type="module" src="/src/main.ts"></script>', ...sources }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  const files = new Map([['assets/index.js', Buffer.from(bundle)]])
  const manifest = { value: connect_src.length > 0 ? { ui: { csp: { connect_src } } } : {} }
  return featureHints({ dir, built: 'by vite' }, { files, manifest }).map(({ where, problem }) => [
    where,
    problem,
  ])
}

it.each([
  ['localStorage.theme', 'localStorage: keep values with svc.storage'],
  ['indexedDB.open("a")', 'IndexedDB: keep values with svc.storage, what is large with svc.files'],
  ['new SharedWorker("a.js")', 'SharedWorker: use Worker, and svc.storage for what windows have in common'],
  ['if (confirm("Sure?")) go()', 'alert, confirm and prompt: show a <dialog> of your own'],
  ['navigator.geolocation.watchPosition(x)', 'geolocation: ask the user for the place'],
])('names %s, and what to use', (code, said) => {
  expect(hintsOf({ 'src/main.ts': `import './more'\n`, 'src/more.ts': `\n${code}\n` })).toEqual([
    ['src/more.ts:2', `an app in a window has no ${said}`],
  ])
})

it('names a fetch of another origin, where the manifest names none', () => {
  const sources = { 'src/main.ts': `await fetch('https://a.test/x')` }
  expect(hintsOf(sources)).toEqual([['src/main.ts:1', expect.stringContaining('"connect_src"')]])
  expect(hintsOf(sources, '', ['https://a.test'])).toEqual([])
})

it.each([
  ['a comment', '// localStorage is not there\n/* alert(1) */'],
  ['a function of its own', 'const confirm = (text) => ask(text)\nconfirm("Sure?")'],
  ['an import', `import { prompt } from './dialogs.ts'\nprompt("Name?")`],
  ['an own file', `await fetch('data.json')`],
  ['a method of that name', 'dialogs.confirm("Sure?")'],
])('says nothing of %s', (_, code) => {
  expect(hintsOf({ 'src/main.ts': code })).toEqual([])
})

it('looks over no file that the page does not load', () => {
  expect(hintsOf({ 'src/main.ts': '', 'plugin/tool.ts': 'localStorage' })).toEqual([])
})

it('names of packages what fails wherever it is, and not what they look for', () => {
  expect(hintsOf({ 'src/main.ts': '' }, 'const s = window.localStorage; new SharedWorker(u)')).toEqual([
    ['assets/index.js:1', expect.stringMatching(/no SharedWorker/)],
  ])
})
