import { analyse } from 'scslre'
import ts from 'typescript'
import { beginsInItsRepetition } from './pattern-prefixes.ts'

/** A regular expression of a file that may take more than linear time. */
export interface PatternProblem {
  readonly line: number
  /** As it is written. */
  readonly pattern: string
}

const OWN_FILE = 'reads files of the developer who runs it'
const OWN_TEXT = 'reads a line that a tool of the developer, or svc itself, wrote'
const NAME = 'reads the name of a file, which the system bounds'
const OWN_APP = 'reads an error of the app that its developer has open'

/** Patterns that may, and why nobody can make use of it. */
export const allowed: Readonly<Record<string, string>> = Object.fromEntries([
  [String.raw`/<script\b[^>]*\bsrc\s*=\s*["']?(https?:)?\/\//i`, OWN_FILE],
  [String.raw`/<script\b(?![^>]*\bsrc\b)[^>]*>\s*\S/i`, OWN_FILE],
  [String.raw`/<link\b[^>]*\bhref\s*=\s*["']?(https?:)?\/\//i`, OWN_FILE],
  [String.raw`/<(script|link|img)\b[^>]*\b(src|href)\s*=\s*["']?\/(?!\/)/i`, OWN_FILE],
  ['/<!--.*?-->/gs', OWN_FILE],
  [
    String.raw`/\.(?:[cm]?tsx?|jsx|vue|svelte|s[ac]ss|less|py|map\.gz)$|\.(?:test|spec)\.[cm]?js$|(?:^|\/)(?:package(?:-lock)?\.json|tsconfig.*\.json|(?:vite|vitest|eslint|svc|biome|rollup|webpack)\.config\..*|pnpm-lock\.yaml|yarn\.lock|dockerfile|makefile|__tests__\/.*)$/i`,
    NAME,
  ],
  [String.raw`/\(?(file:\/\/[^\s)]+):(\d+):(\d+)\)?/`, OWN_TEXT],
  [String.raw`/<script\b([^>]*)>([\s\S]*?)<\/script>/gi`, OWN_FILE],
  [
    String.raw`/(localStorage|sessionStorage|indexedDB|caches|CacheStorage|cookie)\b.*(sandboxed|insecure|denied|opaque)|(Forbidden in|The operation is insecure|The document is sandboxed)/i`,
    OWN_APP,
  ],
  ['/EvalError|unsafe-eval|Function constructor.*Content Security Policy/i', OWN_APP],
  [String.raw`/(https?:\/\/[^\s()]+?):(\d+):(\d+)\)?$/gm`, OWN_APP],
  [String.raw`/\[ (\S.*):(\d+):(\d+) \]/`, OWN_TEXT],
  [
    String.raw`/\b(verifies(?:\.each|\.fails)?|cites)(?:<[^(]*>)?\(\s*(\[[^\]]*\]|(?:'[^'\n]*'\s*,?\s*)+|[^\s])/g`,
    OWN_FILE,
  ],
  [String.raw`/\.test\.tsx?$|(^|\/)([\w-]+-)?(checks?|suites?)(-[\w-]+)?(\/.*)?\.ts$/`, OWN_FILE],
  [String.raw`/broken ([a-z ]+)\./`, OWN_TEXT],
])

/** The regular expressions of a file whose search, or whose backtracking, takes at least quadratic time. */
export function patternProblems(file: string, text: string): PatternProblem[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: PatternProblem[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && isSlow(node.text))
      found.push({
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        pattern: node.text,
      })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isSlow(literal: string): boolean {
  const end = literal.lastIndexOf('/')
  const pattern = { source: literal.slice(1, end), flags: literal.slice(end + 1) }
  return (
    analyse(pattern, { maxReports: 1 }).reports.length > 0 ||
    beginsInItsRepetition(pattern.source, pattern.flags)
  )
}
