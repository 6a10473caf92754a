import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { verifies } from '../packages/conformance/src/verifies.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy: { readonly matrix: Readonly<Record<string, unknown>> }
        readonly steps: readonly Step[]
      }
    >
  >
}

const files = globSync('.github/workflows/*')
const read = (file: string): Workflow => parse(readFileSync(file, 'utf8'), { strict: true })
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

verifies('platforms.tools', 'npm test runs on three systems, with Node 22, 24 and the newest', () => {
  const { test } = read('.github/workflows/test.yml').jobs
  expect(test?.strategy.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [22, 24, 'latest'],
  })
  expect(test?.steps.at(-1)).toEqual({ run: 'npm test' })
})

it.each(files)('%s reads the repository alone, by pinned actions and commands that are there', (file) => {
  const { permissions, jobs } = read(file)
  expect(permissions).toEqual({ contents: 'read' })
  for (const { uses, run } of Object.values(jobs).flatMap(({ steps }) => steps)) {
    const [, name = ''] = /^npm (?:run )?(\S+)/.exec(run ?? '') ?? []
    expect(uses === undefined ? name in scripts : /^actions\/[\w-]+@v\d+$/.test(uses), uses ?? run).toBe(true)
  }
})

it('checkouts have lines that end alike on each system', () => {
  expect(readFileSync('.gitattributes', 'utf8')).toContain('\n* text=auto eol=lf\n')
})
