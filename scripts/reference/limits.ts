import { limits } from '../../packages/contract/src/index.ts'
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

/** Every limit with its value. */
export function limitsPage(): string {
  const rows = Object.entries<number>(limits).map(([name, value]) => [
    code(name),
    grouped(value),
    inWords(name, value),
  ])
  return `# Limits

The unit stands at the end of a name: milliseconds, seconds, bytes, characters, pixels; a name without one is a count.
\`createHost({ limits })\` overrides by name those that the host reads at run time (\`hostLimits\` of \`@svc/host\`).

${table(['Name', 'Value', 'That is'], rows)}`
}
