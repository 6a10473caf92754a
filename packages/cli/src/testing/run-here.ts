import { format } from 'node:util'
import { runWords } from '../run-words.ts'
import { type CommandEnd, envOf } from './cli.ts'

/**
 * Runs svc to its end as `runSvc` does, but in this process, which reads the modules of a command once: for commands that
 * take no signal, read no stdin and start nothing that outlives them.
 */
export async function runHere(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<CommandEnd> {
  const before = { cwd: process.cwd(), env: process.env, code: process.exitCode, console: { ...console } }
  const said = { out: '', err: '' }
  const heard =
    (where: keyof typeof said) =>
    (...words: unknown[]) => {
      said[where] += `${format(...words)}\n`
    }
  process.chdir(options.cwd)
  process.env = envOf(options)
  process.exitCode = undefined
  console.log = heard('out')
  console.error = heard('err')
  try {
    await runWords(args)
    return { code: Number(process.exitCode ?? 0), ...said }
  } finally {
    Object.assign(console, before.console)
    process.exitCode = before.code
    process.env = before.env
    process.chdir(before.cwd)
  }
}
