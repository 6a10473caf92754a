/** Writes one line of a log. */
type LogLine = (fields: object, message?: string) => void

/**
 * Where a host writes its log: a pino logger, `console`, or another with these methods.
 *
 * @example createHost({ logger: pino({ level: 'warn' }) })
 */
export interface Logger {
  readonly debug: LogLine
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
  /** Whether lines of a level are written. Left out: they are. */
  readonly isLevelEnabled?: (level: 'debug') => boolean
}
