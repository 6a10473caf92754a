import { parsed } from '../members.ts'

/** What is told of an answer's events. */
export interface ChatEvents {
  /** Data of which nothing was read yet. Returns whether that was enough, and it is not to be parsed. */
  again(data: string): boolean
  /**
   * The value of an event, its name (`''` without one), and its text. `isBare`: it came as JSON outside of a stream of
   * events.
   */
  value(value: unknown, name: string, text: string, isBare: boolean): void
  /** Data that is not JSON, such as `[DONE]`, or a line of a web page. `isLast`: the answer ended in it. */
  text(data: string, name: string, isLast: boolean): void
}

const BREAKS = /\r\n?/g
const MARK = '\uFEFF'
const DATA = 'data:'
const NAME = 'event:'

/**
 * Opens what reads the events of an answer of text in pieces, cut anywhere: server-sent events with any line break, with
 * or without a blank after the colon and a blank line between them, and JSON without a stream, one value or one a line.
 */
export function openChatEvents({ again, value, text: odd }: ChatEvents) {
  /** The beginning of a line whose end has not come, in its pieces. */
  let carried: string[] = []
  let endedInCr = false
  let isFirst = true
  let name = ''
  /** The lines of an event, or of a bare value, that are not JSON by themselves. */
  let data: string[] = []
  let bare: string[] = []
  let isLast = false

  const tellOdd = (text: string) => odd(text, name, isLast)

  function dispatch(): void {
    if (data.length > 0) read(data.join('\n'), false, tellOdd)
    data = []
    name = ''
  }

  function read(text: string, isBare: boolean, otherwise: (text: string) => void): void {
    const found = parsed(text)
    if (found === undefined) otherwise(text)
    else value(found, name, text, isBare)
  }

  function line(text: string): void {
    if (text.startsWith(DATA)) {
      bare = []
      const rest = text.slice(text[DATA.length] === ' ' ? DATA.length + 1 : DATA.length)
      if (data.length > 0) data.push(rest)
      else if (!again(rest)) read(rest, false, () => void data.push(rest))
    } else if (bare.length > 0) bare.push(text)
    else if (text === '') dispatch()
    else if (text.startsWith(NAME)) name = text.slice(NAME.length).trim()
    else if (/^\s*[[{]/.test(text)) read(text, true, () => void bare.push(text))
    else if (/^\s*</.test(text)) odd(text, name, isLast)
  }

  function feedLines(text: string): void {
    let at = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      const rest = text.slice(at, end)
      if (carried.length === 0) line(rest)
      else {
        const whole = carried.join('') + rest
        carried = []
        line(whole)
      }
      at = end + 1
    }
    if (at < text.length) carried.push(text.slice(at))
  }

  function feed(piece: string): void {
    if (piece === '') return
    const isSecondHalf = endedInCr && piece.startsWith('\n')
    const text = isSecondHalf || (isFirst && piece.startsWith(MARK)) ? piece.slice(1) : piece
    isFirst = false
    endedInCr = text.endsWith('\r')
    feedLines(text.includes('\r') ? text.replace(BREAKS, '\n') : text)
  }

  return {
    feed,
    /** No more text comes: what has no end yet ends here. */
    end(): void {
      isLast = true
      feed('\n')
      if (bare.length > 0) read(bare.join('\n'), true, tellOdd)
      dispatch()
    },
  }
}
