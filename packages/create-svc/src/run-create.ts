import { createRequire } from 'node:module'
import { CreateError } from './create-error.ts'
import { createProject } from './create-project.ts'
import { helpText, listText } from './help-text.ts'
import { type CreateOptions, readOptions } from './read-options.ts'

/** The version of this package is that of all packages of a project. */
const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string }

const words = process.argv.slice(2)
try {
  await run(readOptions(words))
} catch (error) {
  if (!(error instanceof CreateError)) throw error
  const { kind, message, hint } = error
  console.error(`create-svc: ${message}\n            ${hint}`)
  if (words.includes('--json')) console.log(JSON.stringify({ ok: false, error: { kind, message, hint } }))
  process.exitCode = error.exitCode
}

async function run(options: CreateOptions): Promise<void> {
  if (options.help) return console.log(helpText())
  if (options.list) return console.log(listText())
  if (options.version) return console.log(version)
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY) && !options.json
  const terminal = isTerminal ? { input: process.stdin, output: process.stdout } : null
  const created = await createProject(options, { cwd: process.cwd(), env: process.env, version, terminal })
  if (!created) process.exitCode = 1
  else if (options.json) console.log(JSON.stringify({ ok: true, ...created }))
  else
    console.log(
      [
        `Created ${created.name} from ${created.template}. Next:`,
        ...created.next.map((line) => `  ${line}`),
      ].join('\n'),
    )
}
