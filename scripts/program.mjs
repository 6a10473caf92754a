import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** How a command file of npm or pnpm names the script that it starts. */
const SCRIPT = /%(?:~dp0|dp0%)[\\/]?([^"%\r\n]+\.[cm]?js)"/

/**
 * The words that start a command without a shell. On Windows npm, pnpm and what packages bring are command files, which
 * only a shell starts: the script behind one is started by Node instead, so that no shell reads the words of others.
 *
 * @param {string} command
 * @param {{ platform?: NodeJS.Platform, env?: NodeJS.ProcessEnv, isThere?: (file: string) => boolean, read?: (file: string) => string }} [options]
 * @returns {[string, ...string[]]}
 */
export function programOf(
  command,
  {
    platform = process.platform,
    env = process.env,
    isThere = existsSync,
    read = (file) => readFileSync(file, 'utf8'),
  } = {},
) {
  if (platform !== 'win32') return [command]
  const { delimiter, dirname, join } = path.win32
  const folders = /[\\/]/.test(command) ? [''] : (pathOf(env) ?? '').split(delimiter)
  for (const folder of folders) {
    const file = join(folder, command)
    if (isThere(`${file}.exe`)) return [`${file}.exe`]
    if (!isThere(`${file}.cmd`)) continue
    // Its own command file first asks npm where another npm is.
    const npm = join(dirname(file), 'node_modules/npm/bin', `${command}-cli.js`)
    if (isThere(npm)) return [process.execPath, npm]
    const [, script] = SCRIPT.exec(read(`${file}.cmd`)) ?? []
    if (script) return [process.execPath, join(dirname(file), script)]
  }
  return [command]
}

/**
 * Windows does not tell `Path` from `PATH`; a copy of the environment does.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export const pathOf = (env) => env[pathName(env)]

/**
 * The name that PATH has in an environment.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export const pathName = (env) => Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
