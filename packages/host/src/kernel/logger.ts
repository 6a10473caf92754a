/** Writes one line of a log. */
type LogLine = (fields: object, message?: string) => void

/**
 * Where a host writes its log: a pino logger, `console`, or another with these methods.
 *
 * @example createHost({ logger: pino({ level: 'warn' }) })
 */
export interface Logger {
  /** Each call of an app. */
  readonly debug: LogLine
  /** What the host began or ended by itself. */
  readonly info: LogLine
  /** What somebody should know of, while the host goes on as it should. */
  readonly warn: LogLine
  /** What the host could not do. */
  readonly error: LogLine
  /** Whether lines of a level are written. Left out: they are. */
  readonly isLevelEnabled?: (level: 'debug') => boolean
}
