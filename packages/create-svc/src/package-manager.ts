import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CreateError } from './create-error.ts'

/** The command that installs packages. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** Returns the one that runs this command, by what it says of itself in the environment; npm where none does. */
export function packageManagerOf(env: NodeJS.ProcessEnv): PackageManager {
  const [, name] = /^(npm|pnpm|yarn|bun)\//.exec(env.npm_config_user_agent ?? '') ?? []
  return (name as PackageManager | undefined) ?? 'npm'
}

/** Installs the packages of a project; what the package manager prints goes to stderr. */
export async function installPackages(manager: PackageManager, dir: string, name: string): Promise<void> {
  const child = spawn(manager, ['install'], {
    cwd: dir,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'exit').catch((error: Error) => [error.message])
  if (code !== 0)
    throw new CreateError(
      'failed',
      `${name} is created, but its packages could not be installed (${manager} install ended with ${code})`,
      `If the registry could not be reached, try again later: cd ${name} && ${manager} install`,
    )
}
