import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type Reply, type Request, runBatch, type Verbs } from './batches.ts'
import { type Failure, failureOf } from './failure.ts'

/** What a thread is sent. */
export type Asked = readonly Request[] | 'close'

/** What a thread says unasked: the log of this database file has grown. */
export interface Notice {
  readonly log: string
}

/** What a thread sends. */
export type Sent =
  | { readonly ready: true }
  | { readonly failed: Failure }
  | {
      readonly replies: readonly Reply[]
      readonly writes: Failure | 'none' | null
      readonly notice: Notice | null
    }
  | { readonly closed: Failure | null }

/** A role of a thread that has been opened. */
export interface Role extends Verbs {
  /** Called when a batch has been committed. */
  afterBatch?(): Notice | null
  close(): void
}

/** Verbs of one batch: what they give is held back until all of them are committed. */
const BATCH_MAX = 256
/** How long a batch gathers what has come meanwhile, in ms. */
const BATCH_MS = 4

/** Opens a role and serves what is asked of it, until it is told to close. */
export function serveVerbs(port: MessagePort, open: () => Role): void {
  const send = (sent: Sent) => port.postMessage(sent)
  let role: Role
  try {
    role = open()
  } catch (error) {
    send({ failed: failureOf(error) })
    port.close()
    return
  }
  port.on('message', (message: Asked) => {
    const { requests, isLast } = gather(port, message)
    if (requests.length > 0) {
      const replies = runBatch(requests, role)
      send({ replies, writes: outcomeOf(replies, requests, role), notice: noticeOf(role) })
    }
    if (isLast) close()
  })
  function close() {
    send({ closed: failureWhile(role.close) })
    port.close()
  }
  send({ ready: true })
}

/** What is done beside the verbs comes again with the next batch where it fails: nothing is lost by that. */
function noticeOf(role: Role): Notice | null {
  try {
    return role.afterBatch?.() ?? null
  } catch {
    return null
  }
}

/** How the writes of a batch went: null where all were done, the last failure, or that there was none. */
function outcomeOf(replies: readonly Reply[], requests: readonly Request[], { verbs }: Verbs) {
  const writing = new Set(requests.flatMap(([number, verb]) => (verbs[verb]?.writes ? [number] : [])))
  if (writing.size === 0) return 'none'
  return replies.findLast(([number, , failure]) => failure && writing.has(number))?.[2] ?? null
}

/** Adds what came while the batch before was committed. */
function gather(port: MessagePort, first: Asked) {
  const requests: Request[] = []
  const from = performance.now()
  for (
    let next: Asked | undefined = first;
    next;
    next = receiveMessageOnPort(port)?.message as Asked | undefined
  ) {
    if (next === 'close') return { requests, isLast: true }
    for (const request of next) requests.push(request)
    if (requests.length >= BATCH_MAX || performance.now() - from >= BATCH_MS) break
  }
  return { requests, isLast: false }
}

function failureWhile(work: () => void): Failure | null {
  try {
    work()
    return null
  } catch (error) {
    return failureOf(error)
  }
}
