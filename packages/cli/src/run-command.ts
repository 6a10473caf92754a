import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { type CommandDef, defineCommand, renderUsage, runCommand } from 'citty'
import { explainFailure, failure, failureJson } from './terminal/failure.ts'

/** Each command is read when it is asked for: nobody who checks a plugin waits for Vite. */
const svc = defineCommand({
  meta: { name: 'svc', description: 'Runs sandboxed apps with tools, storage and windows.' },
  subCommands: {
    dev: () => import('./commands/dev.ts').then(({ dev }) => dev),
    serve: () => import('./commands/serve.ts').then(({ serve }) => serve),
    plug: defineCommand({
      meta: { name: 'plug', description: 'Checks, calls, types and publishes tool plugins.' },
      subCommands: {
        check: () => import('./commands/plug/check.ts').then(({ check }) => check),
        call: () => import('./commands/plug/call.ts').then(({ call }) => call),
        publish: () => import('./commands/plug/publish.ts').then(({ publish }) => publish),
        list: () => import('./commands/plug/list.ts').then(({ list }) => list),
        types: () => import('./commands/plug/types.ts').then(({ types }) => types),
      },
    }),
    app: defineCommand({
      meta: { name: 'app', description: 'Checks, pushes and releases apps, and finds them again.' },
      subCommands: {
        lint: () => import('./commands/app/lint.ts').then(({ lint }) => lint),
        check: () => import('./commands/app/check.ts').then(({ check }) => check),
        push: () => import('./commands/app/push.ts').then(({ push }) => push),
        release: () => import('./commands/app/release.ts').then(({ release }) => release),
        list: () => import('./commands/app/list.ts').then(({ list }) => list),
        pull: () => import('./commands/app/pull.ts').then(({ pull }) => pull),
      },
    }),
    data: defineCommand({
      meta: { name: 'data', description: 'Checks, backs up and restores the data folder of svc serve.' },
      subCommands: {
        check: () => import('./commands/data/check.ts').then(({ check }) => check),
        backup: () => import('./commands/data/backup.ts').then(({ backup }) => backup),
        restore: () => import('./commands/data/restore.ts').then(({ restore }) => restore),
        export: () => import('./commands/data/backup.ts').then(({ exportData }) => exportData),
        import: () => import('./commands/data/restore.ts').then(({ importData }) => importData),
        stats: () => import('./commands/data/stats.ts').then(({ stats }) => stats),
      },
    }),
    types: () => import('./commands/types.ts').then(({ types }) => types),
    doctor: () => import('./commands/doctor.ts').then(({ doctor }) => doctor),
    runner: () => import('./commands/runner.ts').then(({ runner }) => runner),
  },
})

const words = process.argv.slice(2)
/** What is behind the dashes is the command of a plugin, with options of its own. */
const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length)
const { command, path, rest } = await find(svc)

if (own.length === 1 && own[0] === '--version') {
  console.log(createRequire(import.meta.url)('../package.json').version)
} else if (own.includes('--help') || own.includes('-h') || (command.subCommands && rest.length === 0)) {
  console.log(await renderUsage({ ...command, meta: { ...command.meta, name: path } }))
} else {
  try {
    refuseUnknownOptions()
    await runCommand(command, { rawArgs: words.slice(own.length - rest.length) })
  } catch (error) {
    const isUsage = error instanceof Error && error.name === 'CLIError'
    const failed = isUsage ? failure('usage', sayUsage(error), `${path} --help shows how to use it.`) : error
    const { code, lines } = explainFailure(failed)
    for (const line of lines) console.error(line)
    if (own.includes('--json')) console.log(JSON.stringify(failureJson(failed)))
    process.exitCode = code
  }
}

/** The command that the first words name, and the words behind it. */
async function find(root: CommandDef) {
  let command = root
  let depth = 0
  for (;;) {
    const subs = (await command.subCommands) as
      | Record<string, CommandDef | (() => Promise<CommandDef>)>
      | undefined
    const word = own[depth] ?? ''
    const sub = subs && Object.hasOwn(subs, word) ? subs[word] : undefined
    if (!sub) return { command, path: ['svc', ...own.slice(0, depth)].join(' '), rest: own.slice(depth) }
    command = typeof sub === 'function' ? await sub() : sub
    depth += 1
  }
}

/** citty takes any option in silence; a misspelt one would be believed to work. */
function refuseUnknownOptions() {
  const [word = ''] = rest
  if (command.subCommands && !word.startsWith('-'))
    throw failure('usage', `there is no command ${word}`, `${path} --help lists them.`)
  const names = Object.keys(command.args ?? {}).flatMap((name) => [`--${name}`, `--no-${name}`])
  // A dash alone is a value: stdin.
  const stranger = rest.find(
    (word) => word.startsWith('-') && word !== '-' && !names.includes(word.split('=')[0] ?? ''),
  )
  if (stranger !== undefined)
    throw failure('usage', `there is no option ${stranger}`, `${path} --help lists them.`)
}

/** citty's own sentences are coloured and end in a full stop. */
function sayUsage({ message }: Error): string {
  return stripVTControlCharacters(message).replace(/\.$/, '')
}
