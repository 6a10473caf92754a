import { BEFORE_CLOSE_MS } from '@svc/contract/browser'
import type { BundleFace, HostContext } from '@svc/contract/wire'
import { wrap } from 'comlink'
import type { Clock } from './clock.ts'

/** The document's face as the page calls it. */
export interface FaceClient {
  /** Tells the document its surroundings; while it has not taken the last news, only the newest waits. */
  setContext(context: HostContext): void
  /** Asks whether the window may close: no answer in 1 s, or a broken one, is a yes. */
  mayClose(reason: string | null): Promise<boolean>
  close(): void
}

/** Calls into the bundle through comlink. The page only wraps: exposing anything would let the bundle run code here. */
export function createFaceClient(port: MessagePort, clock: Clock): FaceClient {
  const face = wrap<BundleFace>(port)
  let telling = false
  let next: HostContext | undefined

  function tell(): void {
    const context = next
    if (!context || telling) return
    next = undefined
    telling = true
    const told = () => {
      telling = false
      tell()
    }
    face.contextChanged(context).then(told, told)
  }

  return {
    setContext(context) {
      next = context
      tell()
    },
    mayClose(reason) {
      return new Promise((resolve) => {
        const timer = clock.setTimeout(() => resolve(true), BEFORE_CLOSE_MS)
        const answered = (answer: unknown) => {
          clock.clearTimeout(timer)
          resolve(answer !== false)
        }
        face.beforeClose(reason).then(answered, answered)
      })
    },
    close: () => port.close(),
  }
}
