import type { PageWindow } from '@svc/bridge/testing'
import { createTestFrame, type TestFrame } from './test-frame.ts'

/** A message of a document to its page. */
interface Message {
  readonly source: object
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

/** What takes the place of a page: of its window as much as the bridge uses. */
export interface TestPage {
  readonly window: PageWindow
  /** The frame behind an iframe that the bridge made here. */
  frameOf(iframe: HTMLIFrameElement): TestFrame
  /** Says something to the page. */
  post(message: Message): void
}

/** Makes one at an origin. */
export function createTestPage(origin: string): TestPage {
  const listeners = new Set<(message: Message) => void>()
  const frames = new WeakMap<HTMLIFrameElement, TestFrame>()
  const document: Record<string, unknown> = {
    baseURI: `${origin}/`,
    // It is never frozen, and no policy of a browser is broken on it.
    addEventListener() {},
    createElement() {
      const frame = createTestFrame()
      Object.assign(frame.element, { ownerDocument: document })
      frames.set(frame.element, frame)
      return frame.element
    },
  }
  const window = {
    document,
    // It loads nothing, so nothing has a time.
    performance: { now: () => 0, getEntriesByName: () => [] },
    addEventListener(
      type: string,
      listener: (message: Message) => void,
      { signal }: { signal: AbortSignal },
    ) {
      if (type !== 'message') return
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
    },
  }
  document.defaultView = window
  return {
    // The bridge uses no other part of a window.
    window: window as unknown as PageWindow,
    frameOf(iframe) {
      const frame = frames.get(iframe)
      if (!frame) throw new Error('this iframe is not of this page')
      return frame
    },
    post(message) {
      for (const listener of listeners) listener(message)
    },
  }
}
