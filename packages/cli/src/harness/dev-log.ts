import { inspect } from 'node:util'
import { visibleLine, visibleText } from '@svc/contract/visible-text'
import { slugOf } from './plugin-troubles.ts'

/** A record of the host's log. */
export interface LogRecord {
  readonly level: number
  readonly msg?: string
  readonly plugin?: string
  readonly event?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [field: string]: unknown
}

const ERROR = 50
const WARN = 40
/** What every record has, or what the line says in words. */
const said = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'plugin', 'version', 'event', 'err'])

/** A record, as JSON, in one line for a person: who, what, why, and the details that have no words. */
export function logLine(text: string): string {
  const record = JSON.parse(text) as LogRecord
  const { level, msg = '', plugin, event, err } = record
  const who = slugOf(plugin) ?? plugin ?? 'svc'
  if (event === 'plugin_stderr') return `${who} | ${noteOf(msg)}`
  const kind = level >= ERROR ? 'error: ' : level >= WARN ? 'warning: ' : ''
  const place = level >= ERROR ? /\n[^\S\n]+(at .+)/.exec(err?.stack ?? '')?.[1] : undefined
  const why = [err?.message, place].filter((part) => part !== undefined)
  const details = Object.entries(record)
    .filter(([key, value]) => !said.has(key) && value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : flat(value)}`)
  return [`${who}: ${kind}${[msg, ...why].join(': ')}`, ...details].map(visibleLine).join('  ')
}

/** A line of a plugin keeps how far it is indented. */
const noteOf = (msg: string) => visibleText(msg.trimEnd().replaceAll('\t', '    ').replaceAll('\n', ' '))

const flat = (value: unknown) => inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 3 })
