import path from 'node:path'
import { expect, it } from 'vitest'
import { buildProblem, buildSentence } from './build-sentence.ts'

const failed = (...messages: string[]) =>
  Object.assign(new Error(`Build failed with ${messages.length} errors:`), {
    errors: messages.map((message) => ({ message })),
  })

it.each([
  [
    'colours and source lines',
    failed(
      "\u001b[31m[UNRESOLVED_IMPORT] \u001b[0mCould not resolve './gone.ts' in src/main.ts\n   \u001b[38;5;246m╭─[\u001b[0m src/main.ts:1:8 \u001b[38;5;246m]\u001b[0m\n  import '../gone.ts'",
    ),
    "Could not resolve './gone.ts' in src/main.ts at src/main.ts:1:8",
  ],
  [
    'a cause and a stack',
    failed(
      '[builtin:vite-transform] plugin threw an error\n\nCaused by:\n    Tsconfig not found /tmp/tsconfig.json\n\nStack backtrace:\n   0: <unknown>',
    ),
    'Tsconfig not found /tmp/tsconfig.json',
  ],
  [
    'the build of a worker',
    failed(
      'Build failed with 1 error:\n\n[INVALID_TLA_FORMAT] Module format "iife" does not support top-level await.\n   ╭─[ db.js:2:27 ]',
    ),
    'Module format "iife" does not support top-level await at db.js:2:27',
  ],
  [
    'advice, and more than one',
    failed('[vite]: Rolldown failed to resolve import "a" from "b.ts".\nThis is most likely …', 'c'),
    'Rolldown failed to resolve import "a" from "b.ts", and 1 more',
  ],
  [
    'an absolute path as terminals make a link of it, as that of a build',
    { message: 'Error: boom', id: path.resolve('examples/notes/main.ts'), loc: { line: 1, column: 6 } },
    'boom at examples/notes/main.ts:1:7',
  ],
  ['an ordinary error', new Error('no such file'), 'no such file'],
  ['something thrown that is no error', 'boom', 'boom'],
  ['an error without words', new Error(''), 'no reason was given'],
])('says %s in one sentence', (_, error, sentence) => {
  expect(buildSentence(error)).toBe(sentence)
})

it('hands on what is to be done in place of what a sandbox refuses', () => {
  const error = { message: 'TypeError: Failed to fetch', plugin: 'svc:window-errors', hint: 'Use svc.web.' }
  expect(buildProblem(error, '').hint).toBe('Use svc.web.')
})

it.each([
  [
    'a place in the app',
    failed('\u001b[31m[X] \u001b[0mUnexpected token\n ╭─[ examples/notes/src/main.ts:2:12 ]', 'c'),
    {
      message: 'Unexpected token, and 1 more',
      file: 'src/main.ts',
      line: 2,
      column: 12,
      hint: 'Correct this place and save the file.',
    },
  ],
  [
    'a place of a plugin, from whose columns one is missing',
    Object.assign(new Error('Failed to resolve import "./gone.js" from "main.js"'), {
      plugin: 'vite:import-analysis',
      id: 'examples/notes/main.js?v=1',
      loc: { file: 'examples/notes/main.js', line: 3, column: 9 },
    }),
    {
      message: 'Failed to resolve import "./gone.js" from "main.js"',
      file: 'main.js',
      line: 3,
      column: 10,
      hint: 'Correct the path of the import, or install the package.',
    },
  ],
  [
    'a place that the sentence begins with',
    {
      message: 'examples/notes/a.svelte:2:9 Unexpected token',
      id: 'examples/notes/a.svelte',
      loc: { line: 2, column: 9 },
    },
    {
      message: 'Unexpected token',
      file: 'a.svelte',
      line: 2,
      column: 10,
      hint: 'Correct this place and save the file.',
    },
  ],
  [
    'a file without a line',
    { message: 'it threw', id: 'examples/notes/vite.config.js' },
    {
      message: 'it threw',
      file: 'vite.config.js',
      line: null,
      column: null,
      hint: 'Correct this place and save the file.',
    },
  ],
  [
    'no place',
    new Error('no such file'),
    { message: 'no such file', file: null, line: null, column: null, hint: null },
  ],
])('tells the page %s', (_, error, problem) => {
  expect(buildProblem(error, path.resolve('examples/notes'))).toEqual(problem)
})
