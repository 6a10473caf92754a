import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { manifestSchema } from '@svc/contract'
import { absentText, type BrowserFeature, browserFeatures } from '@svc/contract/browser-features'
import type { Project } from '../project/project.ts'
import type { Bundle } from './bundle-files.ts'
import type { Finding } from './lint.ts'

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.vue',
  '.svelte',
  '/index.ts',
  '/index.tsx',
  '/index.js',
]
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|html)$/
/** Paths that a module or a page names, relative to it. */
const NAMED = /["'](\.{0,2}\/[^"'\n]*)["']/g
/** What packages only look for is no fault of the app; these fail where they are. */
const inPackages: ReadonlySet<string> = new Set(['sharedWorker', 'serviceWorker', 'indexedDB', 'threads'])

/** What a manifest gives by naming origins. */
const ofOrigins: ReadonlySet<string> = new Set(['otherOrigins', 'sockets'])

const asks = manifestSchema.shape.ui.pick({ csp: true, browser: true }).partial()

const rows: readonly (readonly [id: string, feature: BrowserFeature])[] = Object.entries(browserFeatures)

/** Code without its comments, each line in its place. */
const withoutComments = (text: string): string =>
  text
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/?\*|<!--)/.test(line) ? '' : (line.split(' // ')[0] ?? '')))
    .join('\n')

/** The first line that uses a feature, from 1; 0: none does. A name that the file declares or imports is its own. */
function lineOf(text: string, { uses }: BrowserFeature): number {
  const found = uses?.exec(text)
  if (!found) return 0
  const name = /\w+/.exec(found[0])?.[0] ?? ''
  if (new RegExp(`\\b(?:function|const|let|var|import|class)\\b[^;\\n(]*\\b${name}\\b`).test(text)) return 0
  return text.slice(0, found.index).split('\n').length
}

const hint = (where: string, feature: BrowserFeature): Finding => ({
  level: 'hint',
  where,
  problem: absentText(feature),
})

/** What the own sources of an app use that no app has, each with the first place; and what of that is in a built bundle. */
export function featureHints(
  { dir, built }: Pick<Project, 'dir' | 'built'>,
  { files, manifest }: Pick<Bundle, 'files' | 'manifest'>,
): Finding[] {
  const { csp, browser = [] } = askedIn(manifest)
  // Where the manifest names origins, or parts of the browser, the app uses those.
  const isDeclared = (id: string, { declared }: BrowserFeature) =>
    declared ? browser.includes(declared) : csp?.connect_src !== undefined && ofOrigins.has(id)
  const own = built === 'by vite' ? ownSources(dir) : codeOf(files)
  const found = new Map<string, Finding>()
  const look = (sources: ReadonlyMap<string, string>, of: (id: string) => boolean) => {
    for (const [id, feature] of rows) {
      if (found.has(id) || !of(id) || isDeclared(id, feature)) continue
      for (const [name, text] of sources) {
        const line = lineOf(text, feature)
        if (line === 0) continue
        found.set(id, hint(`${name}:${line}`, feature))
        break
      }
    }
  }
  look(own, () => true)
  if (built === 'by vite') look(codeOf(files), (id) => inPackages.has(id))
  return [...found.values()]
}

/** What a manifest asks for of its user's browser, whatever else is wrong in it. */
function askedIn(manifest: Bundle['manifest']) {
  const value = 'value' in manifest ? (manifest.value as { ui?: unknown } | null) : undefined
  return asks.safeParse(value?.ui).data ?? {}
}

const codeOf = (files: ReadonlyMap<string, Buffer>): Map<string, string> =>
  new Map(
    [...files]
      .filter(([name]) => CODE.test(name))
      .map(([name, bytes]) => [name, withoutComments(bytes.toString())]),
  )

/** The page of an app and what it loads of its own, by paths from its folder. */
function ownSources(dir: string): Map<string, string> {
  const sources = new Map<string, string>()
  const waiting = [path.join(dir, 'index.html')]
  for (const file of waiting) {
    const name = path.relative(dir, file)
    if (sources.has(name) || name.startsWith('..') || name.includes('node_modules') || !CODE.test(file))
      continue
    const text = withoutComments(readFileSync(file, 'utf8'))
    sources.set(name, text)
    for (const [, named = ''] of text.matchAll(NAMED)) {
      const from = named.startsWith('/') ? path.join(dir, named) : path.join(path.dirname(file), named)
      const target = ENDINGS.map((ending) => from.replace(/\?.*/, '') + ending).find(isFile)
      if (target !== undefined) waiting.push(target)
    }
  }
  return sources
}

const isFile = (file: string) => existsSync(file) && statSync(file).isFile()
