import { transformSync } from 'esbuild'
import { compileScript, compileTemplate, parse } from 'vue/compiler-sfc'
import { svelte } from '../../packages/svelte/src/testing/vite-plugin.ts'
import type { Block } from '../page-commands.ts'

/** What a compiler makes of a block of a page. */
export interface Parts {
  /** What is TypeScript or JavaScript of it; its types are checked with those of the other pages. */
  readonly scripts: readonly { readonly language: 'ts' | 'tsx' | 'js'; readonly text: string }[]
  /** What the compiler of its language says. */
  readonly errors: readonly string[]
}

/** The languages whose blocks are compiled, by how. Those of `notCompiled` are not. */
const compilers: Readonly<Record<string, (text: string) => Parts>> = {
  ts: (text) => ({ scripts: [{ language: 'ts', text }], errors: [] }),
  tsx: (text) => ({ scripts: [{ language: 'tsx', text }], errors: [] }),
  js: (text) => ({ scripts: [{ language: 'js', text }], errors: [] }),
  html: htmlParts,
  vue: vueParts,
  svelte: svelteParts,
  css: cssParts,
}

/** Languages that no compiler reads here, and who does instead. */
export const notCompiled: Readonly<Record<string, string>> = {
  sh: 'its commands are run, or held against the real command line, by the tests of pages',
  json: 'manifest-snippets.test.ts parses manifests, config-snippets.test.ts configs; other JSON is data',
  python: 'guide.faults.test.ts runs it as a plugin',
  yaml: 'the commands in it are held against the real command line',
  ini: 'the command in it is held against the real command line; the rest is read by systemd',
  nginx: 'it is read by nginx, which is not installed',
  text: 'it is what a program prints',
}

/** Returns what is compiled of a block, or `null` where its language is not. */
export const partsOf = ({ language, text }: Block): Parts | null => compilers[language]?.(text) ?? null

/** Vue's parser names tags that do not close and attributes that are there twice, which browsers accept in silence. */
function htmlParts(text: string): Parts {
  const scripts = [...text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)]
  const source = text.replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
  const compilerOptions = { isCustomElement: (tag: string) => tag.includes('-') }
  const { errors } = compileTemplate({ source, filename: 'page.html', id: 'page', compilerOptions })
  return {
    scripts: scripts.map(([, script = '']) => ({ language: 'js', text: script })),
    errors: errors.map(String),
  }
}

/** The template comes as calls in TypeScript, so that its expressions have types too. */
function vueParts(text: string): Parts {
  const { descriptor, errors } = parse(text)
  if (errors.length > 0) return { scripts: [], errors: errors.map(String) }
  const { content } = compileScript(descriptor, { id: 'page', inlineTemplate: true })
  return { scripts: [{ language: 'ts', text: content }], errors: [] }
}

function svelteParts(text: string): Parts {
  const [, script = ''] = /<script lang="ts">(.*?)<\/script>/s.exec(text) ?? []
  const scripts = [{ language: 'ts', text: script }] as const
  try {
    svelte('client').transform(text, 'page.svelte')
    return { scripts, errors: [] }
  } catch (error) {
    return { scripts, errors: [String(error)] }
  }
}

function cssParts(text: string): Parts {
  const { warnings } = transformSync(text, { loader: 'css' })
  return { scripts: [], errors: warnings.map((warning) => warning.text) }
}
