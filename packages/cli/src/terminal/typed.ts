import { readFileSync } from 'node:fs'

/** How a package manager starts a command of an installed package, and a script with words of its user behind it. */
interface Manager {
  readonly svc: string
  script(event: string): string
}

const managers: ReadonlyMap<string, Manager> = new Map([
  [
    'npm',
    {
      svc: 'npx svc',
      script: (event) => (npmShort.has(event) ? `npm ${event} --` : `npm run ${event} --`),
    },
  ],
  ['pnpm', { svc: 'pnpm exec svc', script: (event) => `pnpm run ${event}` }],
  ['yarn', { svc: 'yarn svc', script: (event) => `yarn run ${event}` }],
  ['bun', { svc: 'bunx svc', script: (event) => `bun run ${event}` }],
])
const npmShort: ReadonlySet<string> = new Set(['start', 'test'])

/** The package manager that started this process; `undefined`: none did, so `svc` is on the PATH. */
const managerOf = (env: NodeJS.ProcessEnv): Manager | undefined =>
  managers.get(/^\w+/.exec(env.npm_config_user_agent ?? '')?.[0] ?? '')

const COMMAND = /(?<![\w-]|(?:npx|exec|yarn|bunx) )svc (?=(?:dev|serve|plug|app|data|types|doctor|runner)\b)/g

/**
 * A text whose commands of svc are as this user has to type them: whoever installed svc in a project has no `svc` on
 * the PATH.
 */
export function typed(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const svc = managerOf(env)?.svc
  return svc === undefined ? text : text.replaceAll(COMMAND, `${svc} `)
}

/** A script that a package manager runs: its name, and its text in package.json. */
interface Script {
  readonly event: string
  readonly text: string
}

/** The script that runs this process; `null`: none. Its text is read, since pnpm adds to it what its user typed. */
function scriptOf({ npm_lifecycle_event: event, npm_package_json: file }: NodeJS.ProcessEnv): Script | null {
  if (event === undefined || file === undefined) return null
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8'))
    const text: unknown = scripts[event]
    return typeof text === 'string' ? { event, text } : null
  } catch {
    return null
  }
}

/** One command, and words that no shell changes: what a package manager adds comes behind its words. */
const PLAIN = /^[\w\s./:=@-]+$/

/**
 * The line that runs a command again as its user started it, with other words: `npm start -- --port 8788`.
 *
 * @param path the command: `svc dev`
 * @param words the words behind it
 * @param change makes of those that the user typed what is to be typed now
 */
export function lineAgain(
  path: string,
  words: readonly string[],
  change: (words: readonly string[]) => readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  script: Script | null = scriptOf(env),
): string {
  const manager = managerOf(env)
  if (manager && script && PLAIN.test(script.text)) {
    const own = script.text.split(/\s+/)
    const known = words.findIndex((word) => !own.includes(word))
    const user = known === -1 ? [] : words.slice(known)
    return [manager.script(script.event), ...change(user)].join(' ')
  }
  return typed([path, ...change(words)].join(' '), env)
}
