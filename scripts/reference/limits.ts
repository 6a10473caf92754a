import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { limits, rates } from '../../packages/contract/src/index.ts'
import { code, grouped, table } from './table.ts'

const scales: readonly (readonly [
  suffix: RegExp,
  steps: readonly (readonly [size: number, unit: string])[],
])[] = [
  [
    /_MS$/,
    [
      [86_400_000, 'd'],
      [3_600_000, 'h'],
      [60_000, 'min'],
      [1_000, 's'],
    ],
  ],
  [
    /_S$/,
    [
      [86_400, 'd'],
      [3_600, 'h'],
    ],
  ],
  [
    /_BYTES$/,
    [
      [1_048_576, 'MiB'],
      [1_024, 'KiB'],
    ],
  ],
]

/** The value in the largest unit that divides it, or nothing where the plain number reads well. */
export function inWords(name: string, value: number): string {
  const steps = scales.find(([suffix]) => suffix.test(name))?.[1] ?? []
  const step = steps.find(([size]) => value >= size && value % size === 0)
  return step ? `${value / step[0]} ${step[1]}` : ''
}

const FOLDER = 'packages/contract/src/limits'
const COMMENT = /\/\*\*((?:(?!\*\/).)*)\*\/(?:\s+(?:export const )?([A-Z][A-Z_]+)(?::| =))?/gs

interface LimitDoc {
  readonly what: string
  /** The file that has the limit, without folder and ending: `host/rates`. */
  readonly file: string
}

const comments = (file: string) =>
  [...readFileSync(`${FOLDER}/${file}.ts`, 'utf8').matchAll(COMMENT)].map(
    ([, text = '', name]) => [name, text.replaceAll(/\s*\n\s*\*\s*|\s+/g, ' ').trim()] as const,
  )

/** What each limit does, the comment before it, and where it is. */
export function limitDocs(): ReadonlyMap<string, LimitDoc> {
  const files = globSync('**/*.ts', { cwd: FOLDER })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !/(^|\/)index\.ts$|-table\.ts$|\.test\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort()
  return new Map(
    files.flatMap((file) =>
      comments(file).flatMap(([name, what]): [string, LimitDoc][] => (name ? [[name, { what, file }]] : [])),
    ),
  )
}

const rateTable = () =>
  table(
    ['Class', 'Counted by', 'What counts'],
    Object.entries(rates).map(([name, { by, sentence }]) => [code(name), by, sentence]),
  )

/** Who may change the limits of a folder, or of a file beside the folders. */
const groups: Readonly<Record<string, string>> = {
  host: `## What an operator may change

\`createHost({ limits })\` overrides these by name (\`hostLimits\` of \`@svc/host\`).`,
  browser: '## In pages and their documents',
  fixed: `## On every host

\`createHost({ limits })\` refuses these, as it does those of pages.`,
}

/** What a page says of a file besides its limits. */
const notes: Readonly<Record<string, () => string>> = {
  'host/rates':
    () => `Requests are counted in classes, each with a \`RATE_<CLASS>_PER_SECOND\` over time and a \`RATE_<CLASS>_BURST\` at once. Past
it a request is [\`rate_limited\`](errors.md) with 429 and \`Retry-After\`; \`details\` have \`rate\`, \`by\` (\`user\`, \`app\`,
\`address\` or \`host\`) and \`retry_after_ms\`.

${rateTable()}`,
}

const heading = (name: string) => `### ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n`

/** The limits of one file, under the first comment of the file. */
function section(file: string, names: readonly string[], docs: ReadonlyMap<string, LimitDoc>): string {
  const values: Readonly<Record<string, number>> = limits
  const rows = names.map((name) => {
    const value = values[name] ?? 0
    return [code(name), grouped(value), inWords(name, value), docs.get(name)?.what ?? '']
  })
  const [, name] = file.split('/')
  const note = notes[file]?.()
  return [
    `${name ? heading(name) : ''}${comments(file)[0]?.[1] ?? ''}`,
    table(['Name', 'Value', 'That is', 'What'], rows),
    ...(note ? [note] : []),
  ].join('\n\n')
}

/** Every limit with its value and what it does, by who may change it. */
export function limitsPage(): string {
  const docs = limitDocs()
  const byFile = Map.groupBy(Object.keys(limits), (name) => docs.get(name)?.file ?? '')
  const parts = Object.entries(groups).map(([group, head]) =>
    [
      head,
      ...[...byFile]
        .filter(([file]) => file.split('/')[0] === group)
        .map(([file, names]) => section(file, names, docs)),
    ].join('\n\n'),
  )
  return `# Limits

The unit is at the end of a name: milliseconds, seconds, bytes, characters, pixels; a name without one is a count.

${parts.join('\n\n')}`
}
