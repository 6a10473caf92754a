import type { Host } from '@svc/host'
import type { Project } from '../project/project.ts'
import type { Change } from './change.ts'
import { openStackLines, type WrittenError } from './stack-lines.ts'

/** A record of the host's log about a process of a plugin. */
interface PluginRecord {
  readonly plugin?: string
  readonly event?: string
  readonly msg?: string
  /** Of a line on stdout that is not a message. */
  readonly line?: string
  /** Of a connection that walls refused: where to, and the line that would allow it. */
  readonly host?: string
  readonly add?: string
  /** Of a line that is meant as a message and cannot be read: what helps. */
  readonly hint?: string
  /** When it was written, in Unix ms. */
  readonly time?: number
  /** Of a process that has ended: how long it ran. */
  readonly ms?: number
  readonly exitCode?: number | null
  readonly signal?: string | null
  readonly problem?: string
  readonly stderr?: string
}

/** What the troubles of plugins are told with. */
export interface TroubleParts {
  /** The app that a plugin belongs to, by its slug. */
  readonly appOf: (slug: string) => Project | undefined
  /** The host, once there is one. */
  readonly host: () => Host | undefined
  readonly onChange: (change: Change) => void
  /** Unix ms, by the clock of the log. */
  readonly now?: () => number
}

/** The signals by which svc ends processes itself. */
const OURS: readonly unknown[] = ['SIGTERM', 'SIGKILL', 'SIGINT', null, undefined]
const SAVE = 'Correct this place and save the file: the plugin then starts again.'
const LOG =
  'What it wrote to stderr is in the terminal. It is started again when it is called later, or its program is saved.'
const NOT_REACHED = 'Behind walls a plugin reaches only public hosts that its reach names.'
const STDOUT =
  'stdout carries messages alone: print to stderr, such as with console.error or print(…, file=sys.stderr).'

/** Reads in the log of the host what goes wrong in the plugins of apps, and tells of it. */
export function openPluginTroubles({ appOf, host, onChange, now = Date.now }: TroubleParts) {
  const readers = new Map<string, (line: string) => void>()
  /** What was told last of a plugin since its program was saved. */
  const told = new Map<string, string>()
  /** Those that could not be used when that was last seen. */
  const absent = new Set<string>()
  /** When the program of a plugin was saved last. */
  const savedAt = new Map<string, number>()

  function tell(slug: string, { message, ...place }: WrittenError, hint: string): void {
    const app = appOf(slug)
    if (!app) return
    told.set(slug, message)
    const { file, line, column } = place
    const at = file === null ? '' : ` at ${[file, line, column].filter((part) => part !== null).join(':')}`
    onChange({ app: app.name, part: 'plugin error', problem: `${slug}: ${message}${at}`, note: hint })
    const problem = { message: `${slug}: ${message}`, ...place, hint }
    // An app that goes away meanwhile has no windows to tell of it.
    void host()
      ?.apps.reportProblem(app.bundleDir, 'plugin', problem)
      .catch(() => undefined)
  }

  const nowhere = (message: string): WrittenError => ({ message, file: null, line: null, column: null })

  function readerOf(slug: string, app: Project): (line: string) => void {
    const known = readers.get(slug)
    if (known) return known
    const made = openStackLines(app.dir, (error) => tell(slug, error, SAVE))
    readers.set(slug, made)
    return made
  }

  function ended(
    slug: string,
    { time = 0, ms = 0, exitCode, signal, problem, stderr = '' }: PluginRecord,
  ): void {
    // The end of a process of the program as it was before is heard of only now.
    if (time - ms < (savedAt.get(slug) ?? 0)) return
    if (problem === undefined && (exitCode === 0 || (exitCode === null && OURS.includes(signal)))) return
    const how = exitCode === null || exitCode === undefined ? `of ${signal}` : `with exit code ${exitCode}`
    const before = told.get(slug)
    // Its last words were told already, with their place.
    if (before !== undefined && stderr !== '' && (before.includes(stderr) || stderr.includes(before))) return
    tell(slug, nowhere(problem ?? `it ended ${how}${stderr === '' ? '' : `: ${stderr}`}`), LOG)
  }

  function refused(slug: string, { host, add, msg = '' }: PluginRecord): void {
    const isAddable = add !== undefined
    const message = isAddable ? `it tried ${host}, and its reach does not name that` : msg
    tell(slug, nowhere(message), isAddable ? `To allow it, add to svc.plugins: ${add}` : NOT_REACHED)
  }

  /** What was wrong with a plugin is over. */
  async function clear(slug: string): Promise<void> {
    absent.delete(slug)
    if (!told.delete(slug)) return
    const app = appOf(slug)
    if (app) await host()?.apps.reportProblem(app.bundleDir, 'plugin', null)
  }

  return {
    /** Takes a record of the log. */
    take(record: PluginRecord): void {
      const slug = slugOf(record.plugin)
      const app = slug === undefined ? undefined : appOf(slug)
      if (slug === undefined || !app) return
      if (record.event === 'plugin_stderr') readerOf(slug, app)(record.msg ?? '')
      if (record.event === 'stdout_noise' && record.line !== undefined)
        tell(slug, nowhere(`a line on stdout is not a message: ${record.line}`), STDOUT)
      if (record.event === 'plugin_meant') tell(slug, nowhere(record.msg ?? ''), record.hint ?? STDOUT)
      if (record.event === 'plugin_refused') refused(slug, record)
      if (record.event === 'plugin_ended') ended(slug, record)
    },
    /** A plugin cannot be used; its process may have said why already. */
    unavailable(slug: string, problem: string, hint = LOG): void {
      absent.add(slug)
      if (!told.has(slug)) tell(slug, nowhere(problem), hint)
    },
    /** A plugin can be used, so that nothing is wrong with it any more; returns whether it could not before. */
    async available(slug: string): Promise<boolean> {
      const wasAbsent = absent.has(slug)
      if (wasAbsent) await clear(slug)
      return wasAbsent
    },
    /** The program of a plugin was saved: what was wrong before is over. */
    async saved(slug: string): Promise<void> {
      readers.delete(slug)
      savedAt.set(slug, now())
      await clear(slug)
    },
  }
}

/** The slug in the id of a plugin that the host was configured with. */
export const slugOf = (plugin: string | undefined): string | undefined =>
  /^tool-local-(.+)-[0-9a-f]{8}$/.exec(plugin ?? '')?.[1]
