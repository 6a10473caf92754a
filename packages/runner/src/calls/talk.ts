import { isUtf8 } from 'node:buffer'
import { isDeeper } from '@svc/contract/depth'
import type { Limits } from '@svc/contract/limits'
import type { Line } from '@svc/contract/lines'
import type { MeantLine } from '@svc/contract/meant-line'
import { JSONRPC } from '@svc/contract/stdio'
import { exactly, type Fields, fieldsOf, parse } from '../lines/fields.ts'
import { asBuffer, asciiOrUtf8 } from '../lines/line-text.ts'
import { type LongLine, openLongLines } from '../lines/long-line.ts'
import { readPayload, roomFor } from '../lines/payload.ts'
import { bytesOf, stretchOf, textOf } from '../lines/pieces.ts'
import type { ProgressGate } from '../port/progress.ts'
import type { Child, Ending } from '../processes/child.ts'
import { type Answer, isReply } from './answer.ts'
import { openDoubt } from './doubt.ts'
import { type RequestHead, refuseRequest } from './plugin-requests.ts'
import type { Reply, SubcallGate } from './subcalls.ts'

/** A request that waits for its answer. */
interface PendingRequest {
  readonly id: string
  readonly settle: (answer: Answer) => void
  readonly progress: ProgressGate | undefined
  readonly subcalls: SubcallGate | undefined
  /** Whether the plugin has said anything since: it may have read the request, and may be owed answers. */
  begun: boolean
}

/** What a talk tells the outside. */
export interface TalkOptions {
  /** Its id. */
  readonly plugin: string
  readonly limits: Limits
  /** A line that nobody waits for: its text, or `null` for a message, whose payload is not for the log. */
  readonly onNoise: (text: string | null) => void
  /** The plugin has other tools than it told before. */
  readonly onToolsChanged?: (() => void) | undefined
  /** What was meant as the answer cannot be read. */
  readonly onMeant?: ((line: MeantLine) => void) | undefined
  /** Calls back after `MEANT_LINE_MS`; what was set before is forgotten. */
  readonly soon: (then: () => void) => void
}

/**
 * One request at a time over the lines of one process.
 *
 * Lines that are not JSON are counted and skipped; ids are compared with their type; a reply that nobody waits for ends
 * the process after its call: its next reply could belong to anyone, so it is not used again. One reply to a request
 * that was cancelled is not noise: a plugin that stops on `cancel` may still reply. What nests too deep, or is too long
 * for progress, is looked at as it comes and not parsed: its header says what it is.
 */
export function openTalk({ plugin, limits, onNoise, onToolsChanged, onMeant, soon }: TalkOptions) {
  const longest = roomFor(limits.PROGRESS_MAX_BYTES)
  const longLines = openLongLines(limits)
  let child: Child | undefined
  let asked: PendingRequest | undefined
  /** The request that was cancelled and may still be answered. */
  let owed: string | undefined
  let ending: Ending | undefined
  let work = 0
  let isRetired = false

  const settle = (answer: Answer) => {
    const waiting = asked
    asked = undefined
    work = 0
    doubt.clear()
    if (waiting && answer.kind === 'meant') onMeant?.(answer.line)
    waiting?.settle(answer)
  }

  /** Gets no further request: it is ended as soon as none is open, and what it still writes is not read. */
  const retire = () => {
    isRetired = true
    if (asked) return
    child?.ignore()
    void child?.kill()
  }

  const doubt = openDoubt(plugin, soon, (answer) => {
    settle(answer)
    retire()
  })

  const begin = () => {
    if (asked) asked.begun = true
  }

  const ended = (how: Ending): Answer => ({
    kind: 'ended',
    ending: how,
    unread: how.unread === true && asked?.begun === false,
  })

  /** Takes the reply to a cancelled request. */
  const takeLateReply = () => {
    owed = undefined
    retire()
  }

  /** A plugin that writes much that is not a reply is read in bursts; one without an open request is ended. */
  const throttle = (bytes: number) => {
    work += 1 + Math.floor(bytes / limits.NOISE_LINE_BYTES)
    if (work < limits.NOISE_BURST_LINES) return
    if (asked) child?.rest(Math.floor(work / limits.NOISE_BURST_LINES))
    else retire()
    work = 0
  }

  function onLine(line: Line) {
    if ('tooLong' in line) {
      longLines.drop()
      settle({ kind: 'too_long', bytes: line.tooLong })
      return retire()
    }
    const bytes = asBuffer(line)
    if (isLong(bytes)) {
      longLines.push(bytes)
      return onLong([bytes], bytes.length)
    }
    const read = asked && readPayload(bytes, asked.id)
    if (read) settle({ kind: 'payload', read })
    else onMessage(bytes)
  }

  const isLong = (bytes: Buffer) =>
    bytes.length > longest ||
    (bytes.length > limits.RESULT_DEPTH_MAX && isDeeper(bytes, limits.RESULT_DEPTH_MAX))

  /** A line that came in pieces has ended after `length` bytes. */
  function onEnd(pieces: readonly Uint8Array[], length: number) {
    if (length > longest || bytesOf(pieces) < length) return onLong(pieces, length)
    longLines.drop()
    onLine(Buffer.concat(pieces))
  }

  function onLong(pieces: readonly Uint8Array[], length: number) {
    const line = longLines.end(pieces, length)
    const { is, header: seen } = line
    if (is === 'noise' || !seen) {
      const noise = () => onNoise(seen ? null : textOf(stretchOf(pieces, 0, limits.NOISE_SHOWN_CHARS)))
      if (is === 'noise') doubt.look(Buffer.concat(pieces), asked?.id, noise)
      else noise()
      return throttle(length)
    }
    begin()
    const isReply = seen.method === undefined && (seen.id !== undefined || (is === 'cut' && seen.answers))
    const answers = (id: string | undefined) => isReply && (seen.id === undefined || seen.id === id)
    if (asked && answers(asked.id)) return onAnswer(line, length)
    if (owed !== undefined && answers(owed)) return takeLateReply()
    if (seen.method === undefined) onNoise(null)
    else if (seen.id === undefined) {
      if (seen.method === 'progress') asked?.progress?.drop()
    } else if (asked?.subcalls) asked.subcalls.takeLong(seen, line, length, reply)
    else refuse(refuseRequest(seen))
    if (isReply) retire()
    else throttle(length)
  }

  function onAnswer(line: LongLine, length: number) {
    if (line.is === 'cut') settle({ kind: 'too_large', bytes: length })
    else if (line.is !== 'deep') settle({ kind: 'long', ...line.reply() })
    else {
      settle({ kind: 'too_deep' })
      retire()
    }
  }

  function onMessage(bytes: Buffer) {
    const { text, isAscii } = asciiOrUtf8(bytes)
    const message = parse(text)
    if (message) begin()
    else doubt.look(bytes, asked?.id, () => onNoise(text))
    if (message && asked) doubt.lookAtNameless(message)
    if (message && isReply(message) && message.id === asked?.id)
      return isAscii || isUtf8(bytes) ? settle({ kind: 'reply', message, line: bytes }) : doubt.damaged(bytes)
    if (owed !== undefined && message && isReply(message) && message.id === owed) return takeLateReply()
    if (message && message.method === undefined) onNoise(null)
    else if (message && message.id !== undefined) onRequest(message)
    else if (message?.method === 'progress') onProgress(exactly(message, bytes))
    else if (message?.method === 'tools_changed') onToolsChanged?.()
    throttle(bytes.length)
    if (message && isReply(message)) retire()
  }

  /** A refusal is worth nothing to a plugin that reads none. */
  function refuse(line: string): void {
    if (child && child.queued() <= limits.UNREAD_ANSWERS_MAX_BYTES) child.send(line)
  }

  const reply: Reply = (line, onTaken) => (onTaken ? child?.send(line, onTaken) : refuse(line))

  function onRequest(request: RequestHead): void {
    if (asked?.subcalls) asked.subcalls.take(request, reply)
    else refuse(refuseRequest(request))
  }

  function onProgress(message: Fields): void {
    const params = fieldsOf(message.params)
    if (!asked || params?.id !== asked.id) return
    const type = typeof params.type === 'string' ? params.type : 'progress'
    asked.progress?.take(type, params.data)
  }

  return {
    onLine,
    onPiece(piece: Uint8Array): void {
      longLines.push(piece)
      if (asked && longLines.isWhole()) doubt.lookAtOpen(piece, asked.id)
    },
    onEnd,
    /** Binds the process whose lines these are. */
    bind(process: Child): void {
      child = process
      void process.ended.then((how) => {
        ending = how
        isRetired = true
        settle(doubt.answer() ?? ended(how))
      })
    },
    /** Sends a request line and waits for its answer. */
    ask(id: string, line: string, progress?: ProgressGate, subcalls?: SubcallGate): Promise<Answer> {
      return new Promise((resolve) => {
        asked = { id, settle: resolve, progress, subcalls, begun: false }
        if (ending) return settle({ kind: 'ended', ending, unread: true })
        child?.send(line)
      })
    },
    /** Ends the wait from this side. A reply that still comes spoils the process. */
    giveUp(kind: 'late' | 'aborted'): void {
      owed = asked?.id ?? owed
      settle({ kind })
    },
    /** Tells the plugin to stop working on a request. */
    cancel(id: string, reason: string): void {
      child?.send(JSON.stringify({ jsonrpc: JSONRPC, method: 'cancel', params: { id, reason } }))
    },
    /** Whether a request waits for its answer. */
    get isAsked(): boolean {
      return asked !== undefined
    },
    /** Whether a next request would be answered by this process and about this request. */
    get usable(): boolean {
      return !isRetired && asked === undefined
    },
  }
}

/** See `openTalk`. */
export type Talk = ReturnType<typeof openTalk>
