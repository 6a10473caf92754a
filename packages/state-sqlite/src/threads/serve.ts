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
  | { readonly replies: readonly Reply[]; readonly notice: Notice | null }
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
    return port.close()
  }
  port.on('message', (message: Asked) => {
    const { requests, isLast } = gather(port, message)
    if (requests.length > 0) send({ replies: runBatch(requests, role), notice: role.afterBatch?.() ?? null })
    if (isLast) close()
  })
  function close() {
    send({ closed: failureWhile(role.close) })
    port.close()
  }
  send({ ready: true })
}

/** Adds what came while the batch before was committed. */
function gather(port: MessagePort, first: Asked) {
  const requests: Request[] = []
  const from = performance.now()
  for (let next: Asked | undefined = first; next; next = receiveMessageOnPort(port)?.message as Asked | undefined) {
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
