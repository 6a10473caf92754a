import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** An error that a program wrote, with its place in a folder. */
export interface WrittenError {
  readonly message: string
  /** Relative to the folder. */
  readonly file: string | null
  /** From 1, as are columns. */
  readonly line: number | null
  readonly column: number | null
}

type Place = Omit<WrittenError, 'message'>
const nowhere: Place = { file: null, line: null, column: null }

/** The line of an uncaught error, and of one that cannot be read, above its code. */
const NODE_HEAD = /^(file:\/\/\S+|\/\S+?):(\d+)$/
const NODE_FRAME = /^\s+at (?:.*\()?(file:\/\/.+?|\/.+?):(\d+):(\d+)\)?$/
const PYTHON_FRAME = /^\s+File "(.+)", line (\d+)/
const ERROR = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception|Warning)\b.*|SystemExit: .+)$/

/**
 * Finds errors in what a program of Node or Python writes to stderr, line by line: `onError` gets each with the place that is
 * nearest to it in `dir`, leaving out packages.
 */
export function openStackLines(dir: string, onError: (error: WrittenError) => void): (line: string) => void {
  /** Where an error is whose name comes later: what Node writes above it, or the last frame of Python. */
  let above: Place = nowhere
  /** An error of Node, whose frames come next. */
  let named: string | null = null

  function placeOf(file: string, line: string, column?: string): Place | null {
    const name = path.relative(
      dir,
      file.startsWith('file://') ? fileURLToPath(file) : path.resolve(dir, file),
    )
    if (name.startsWith('..') || path.isAbsolute(name) || /(^|\/)node_modules\//.test(name)) return null
    return { file: name, line: Number(line), column: column === undefined ? null : Number(column) }
  }

  function tell(message: string, place: Place): void {
    above = nowhere
    named = null
    onError({ message, ...place })
  }

  return (text) => {
    const [, file = '', line = '', column] =
      NODE_FRAME.exec(text) ?? PYTHON_FRAME.exec(text) ?? NODE_HEAD.exec(text) ?? []
    if (file !== '') {
      const place = placeOf(file, line, column)
      if (place && named !== null && column !== undefined) return tell(named, place)
      if (place) above = place
      return
    }
    if (!ERROR.test(text.trimEnd()) || text.startsWith(' ')) return
    if (above !== nowhere) return tell(text.trim(), above)
    named = text.trim()
  }
}
