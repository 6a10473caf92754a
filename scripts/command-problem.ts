import { findCommand } from '../packages/cli/src/commands/find-command.ts'
import { judgeWords } from '../packages/cli/src/commands/judge-words.ts'
import { findTemplate } from '../packages/create-svc/src/index.ts'
import { readOptions } from '../packages/create-svc/src/read-options.ts'
import { published, readManifest } from './libraries.ts'

const manifests = published.map(readManifest)
/** The packages that pages tell to install: ours, and those that ours are used beside. */
const packages = new Set([
  ...manifests.map(({ name }) => name),
  ...[
    '@hono/node-server',
    '@modelcontextprotocol/server-filesystem',
    '@modelcontextprotocol/server-memory',
    'axe-core',
    'happy-dom',
    'jose',
    'playwright-core',
    'react',
    'svelte',
    'tavily-mcp',
    'vitest',
    'vue',
  ],
])
/** What npx finds of ours: the name of a package, or of a program that it brings → the program. */
const programs = new Map(
  manifests.flatMap(({ name, bin = {} }) =>
    Object.keys(bin).flatMap((program) => [[name, program] as const, [program, program] as const]),
  ),
)
/** What npm does by itself, in any folder. */
const npmOwn = new Set(['config', 'publish', 'shrinkwrap', 'view'])

/** The words of a command as a shell reads them, from the program on. */
export function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word)
  const first = words.findIndex((word) => !/^\w+=/.test(word))
  return words.slice(first).map((word) => word.replaceAll(/['"]/g, ''))
}

/**
 * Says what does not exist of a command of npm, npx or svc: a script, a package, a command, an option or a template.
 * `null`: everything does, or it is another program.
 *
 * @param scripts the scripts of npm where the command is run
 */
export async function commandProblem(command: string, scripts: ReadonlySet<string>): Promise<string | null> {
  const [program = '', ...words] = wordsOf(command)
  try {
    if (program === 'svc') await refuseSvc(words)
    if (program === 'npx') return await npxProblem(words)
    if (program === 'npm') return npmProblem(words, scripts)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function npxProblem([name = '', ...words]: readonly string[]): Promise<string | null> {
  // A package of somebody else, which npx may install.
  if (name === '-y') return null
  const program = programs.get(name)
  if (program === 'svc') await refuseSvc(words)
  return program === undefined ? `npx finds no ${name} of ours` : null
}

function npmProblem([word = '', ...rest]: readonly string[], scripts: ReadonlySet<string>): string | null {
  if (npmOwn.has(word)) return null
  if (word === 'create') return createProblem(rest.filter((one) => one !== '--'))
  if (word === 'install') {
    const stranger = rest.find((name) => !name.startsWith('--') && !packages.has(name))
    return stranger === undefined ? null : `pages install no ${stranger}`
  }
  const script = word === 'run' ? (rest[0] ?? '') : word
  return scripts.has(script) ? null : `there is no script ${script}`
}

function createProblem([name, ...words]: readonly string[]): string | null {
  const { template } = readOptions(words)
  if (template !== undefined) findTemplate(template)
  return name === 'svc' ? null : `npm create ${name} is not ours`
}

/** What is said of values, in whose place a page has a word: `--slots N`. */
const OF_VALUES = / needs a value$| must /

/** Throws what svc itself would say before it does anything. */
async function refuseSvc(line: readonly string[]): Promise<void> {
  const words = line.includes('>') ? line.slice(0, line.indexOf('>')) : line
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const found = await findCommand(own)
  if (own.some((word) => ['--help', '--version'].includes(word)) || found.rest.length === 0) return
  try {
    judgeWords(found, words)
  } catch (error) {
    if (!OF_VALUES.test(String(error))) throw error
  }
}
