import { inspect } from 'node:util'
import { oneLine } from '../terminal/one-line.ts'
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
  if (event === 'plugin_stderr') return `${who} | ${oneLine(msg)}`
  const kind = level >= ERROR ? 'error: ' : level >= WARN ? 'warning: ' : ''
  const place = level >= ERROR ? /\n\s+(at .+)/.exec(err?.stack ?? '')?.[1] : undefined
  const why = [err?.message, place].filter((part) => part !== undefined)
  const details = Object.entries(record)
    .filter(([key, value]) => !said.has(key) && value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : flat(value)}`)
  return oneLine([`${who}: ${kind}${[msg, ...why].join(': ')}`, ...details].join('  '))
}

const flat = (value: unknown) => inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 3 })
