/** What takes the place of an iframe: of one as much as the bridge uses, with no document of a browser in it. */
export interface TestFrame {
  readonly element: HTMLIFrameElement
  /** What messages of its document say that they come from. */
  readonly source: object
  /** It is in the page from now on; `onLeave` is called when it is taken out of it. */
  enter(onLeave: () => void): void
}

/** Makes one. */
export function createTestFrame(): TestFrame {
  const source = {}
  let leave: (() => void) | undefined
  const parts = {
    src: '',
    title: '',
    sandbox: '',
    referrerPolicy: '',
    style: { cssText: '' },
    contentWindow: source,
    get isConnected() {
      return leave !== undefined
    },
    // Nothing loads in it by itself, so it fires nothing.
    addEventListener() {},
    remove() {
      const over = leave
      leave = undefined
      over?.()
    },
  }
  return {
    // The bridge uses no other part of an iframe.
    element: parts as unknown as HTMLIFrameElement,
    source,
    enter(onLeave) {
      leave = onLeave
    },
  }
}
