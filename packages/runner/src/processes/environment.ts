import { proxyVariables } from '../isolation/forwarder.ts'

/** What a plugin sees of the runner's own environment; tokens and keys of the host are not on the list. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  // Windows: where programs, homes and settings are, and how the names of programs end.
  'SystemRoot',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
] as const

/** The variables of a plugin process: the list above, its own folder, and what its row in the host adds. */
export function environment(
  outer: NodeJS.ProcessEnv,
  own: {
    /** The folder of the process: `TMPDIR`. */
    readonly folder: string
    /** Where Node keeps what it compiled; `undefined`: nowhere. */
    readonly cache: string | undefined
    /** Names the process to the reaper. */
    readonly mark: string
    /** Its home where it has one of its own; else the one of the runner. */
    readonly home?: string | undefined
    /** Whether it was installed: its folder is looked at before each start, so that Python writes nothing there. */
    readonly isInstalled?: boolean | undefined
    /** Whether it reaches hosts, by a proxy of its own. */
    readonly proxied?: boolean | undefined
  },
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of PASSED) {
    const value = outer[name]
    if (value !== undefined) env[name] = value
  }
  env.TMPDIR = own.folder
  if (env.SystemRoot !== undefined) Object.assign(env, { TEMP: own.folder, TMP: own.folder })
  if (own.home !== undefined) env.HOME = own.home
  // Type stripping doubles the start of a Node plugin (53 ms against 23 ms); from the cache it costs nothing.
  if (own.cache !== undefined) env.NODE_COMPILE_CACHE = own.cache
  if (own.isInstalled) env.PYTHONDONTWRITEBYTECODE = '1'
  if (own.proxied) Object.assign(env, proxyVariables)
  return { ...env, ...added, SVC_TREE: own.mark }
}
