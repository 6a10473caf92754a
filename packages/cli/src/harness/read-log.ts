import { type Logger, pino } from 'pino'
import type { LogRecord } from './dev-log.ts'

/** From here on records are for a person; those below are read alone. */
const INFO = 30

/** A log whose records all go to `onRecord`, and each that is for a person to `write`, as a line of JSON. */
export const readLog = (write: (text: string) => void, onRecord: (record: LogRecord) => void): Logger =>
  pino(
    { name: 'svc', level: 'debug' },
    {
      write(text: string) {
        const record = JSON.parse(text) as LogRecord
        onRecord(record)
        if (record.level >= INFO) write(text)
      },
    },
  )
