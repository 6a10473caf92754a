import { readFileSync } from 'node:fs'
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

const SOURCE = 'packages/contract/src/limits.ts'

/** What each limit does: the comment before it. */
export function limitDocs(): ReadonlyMap<string, string> {
  const comments = readFileSync(SOURCE, 'utf8').matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+([A-Z][A-Z_]+):/gs)
  return new Map(
    [...comments].map(([, text = '', name = '']) => [
      name,
      text.replaceAll(/\s*\n\s*\*\s*|\s+/g, ' ').trim(),
    ]),
  )
}

const rateTable = () =>
  table(
    ['Class', 'Counted by', 'What counts'],
    Object.entries(rates).map(([name, { by, sentence }]) => [code(name), by, sentence]),
  )

/** Every limit with its value and what it does. */
export function limitsPage(): string {
  const docs = limitDocs()
  const rows = Object.entries<number>(limits).map(([name, value]) => [
    code(name),
    grouped(value),
    inWords(name, value),
    docs.get(name) ?? '',
  ])
  return `# Limits

The unit stands at the end of a name: milliseconds, seconds, bytes, characters, pixels; a name without one is a count.
\`createHost({ limits })\` overrides by name those that the host reads at run time (\`hostLimits\` of \`@svc/host\`).

${table(['Name', 'Value', 'That is', 'What'], rows)}

## Rates

Requests are counted in classes, each with a \`RATE_<CLASS>_PER_SECOND\` over time and a \`RATE_<CLASS>_BURST\` at once, both
above. Past it a request is [\`rate_limited\`](errors.md) with 429 and \`Retry-After\`; \`details\` have \`rate\`, \`by\` (\`user\`,
\`app\`, \`address\` or \`host\`) and \`retry_after_ms\`.

${rateTable()}`
}
