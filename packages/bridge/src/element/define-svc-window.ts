import type { HostContext } from '@svc/contract/wire'
import type { Bridge, SvcWindow } from '../bridge.ts'
import { createBridge } from '../create-bridge.ts'
import type { SvcWindowElement, SvcWindowElementEvents } from './svc-window-element.ts'

/** Options of `defineSvcWindow`. */
export interface DefineOptions {
  /** The bridge that opens windows. Default: `createBridge()`, made for the first window. */
  readonly bridge?: Bridge | undefined
  /** The name of the element. Default `svc-window`. */
  readonly name?: string
}

/**
 * Defines the element `<svc-window>` in this page. A name that is defined already stays as it is, and on a server nothing is
 * done. Define it before an element gets properties.
 *
 * @example
 * ```ts
 * defineSvcWindow({ bridge: createBridge({ baseUrl: '/svc' }) })
 * document.body.innerHTML = '<svc-window app-id="app_1"></svc-window>'
 * ```
 */
export function defineSvcWindow({ bridge: shared, name = 'svc-window' }: DefineOptions = {}): void {
  if (typeof customElements === 'undefined' || customElements.get(name)) return
  let ours = shared
  function sharedBridge(): Bridge {
    ours ??= createBridge()
    return ours
  }

  class Element extends HTMLElement implements SvcWindowElement {
    static readonly observedAttributes = ['app-id', 'view', 'window-uuid']
    bridge: Bridge | undefined
    payload: unknown
    #context: HostContext | undefined
    #window: SvcWindow | undefined
    #opening: AbortController | undefined
    #shown = ''

    get appId(): string | null {
      return this.getAttribute('app-id')
    }
    set appId(id: string | null) {
      this.#setAttribute('app-id', id)
    }
    get view(): string | null {
      return this.getAttribute('view')
    }
    set view(view: string | null) {
      this.#setAttribute('view', view)
    }
    get windowUuid(): string | null {
      return this.getAttribute('window-uuid')
    }
    set windowUuid(uuid: string | null) {
      this.#setAttribute('window-uuid', uuid)
    }
    get keep(): boolean {
      return this.hasAttribute('keep')
    }
    set keep(keep: boolean) {
      this.toggleAttribute('keep', keep)
    }
    get context(): HostContext | undefined {
      return this.#context
    }
    set context(context: HostContext | undefined) {
      // A component that renders again sets what it had.
      const isSame = JSON.stringify(context) === JSON.stringify(this.#context)
      this.#context = context
      if (context && !isSame) this.#window?.setContext(context)
    }
    get window(): SvcWindow | undefined {
      return this.#window
    }

    /** What is set in the same tick belongs to the same window, and what comes back in it has only been moved. */
    connectedCallback(): void {
      queueMicrotask(() => this.#update())
    }
    disconnectedCallback(): void {
      queueMicrotask(() => this.#update())
    }
    attributeChangedCallback(): void {
      queueMicrotask(() => this.#update())
    }
    /** With it, `moveBefore` keeps the iframe and its document. */
    connectedMoveCallback(): void {}

    #setAttribute(name: string, value: string | null): void {
      if (value == null) this.removeAttribute(name)
      else this.setAttribute(name, value)
    }

    #tell<Type extends keyof SvcWindowElementEvents>(type: Type, detail: SvcWindowElementEvents[Type]): void {
      this.dispatchEvent(new CustomEvent(type, { detail }))
    }

    #update(): void {
      const { appId, view, windowUuid } = this
      const isWanted = this.isConnected && (appId || windowUuid)
      const wanted = isWanted ? JSON.stringify([appId, view, windowUuid]) : ''
      if (wanted === this.#shown) return
      this.#shown = wanted
      this.#leave()
      if (wanted) this.#open()
    }

    async #open(): Promise<void> {
      const { appId, view, windowUuid, payload } = this
      const opening = new AbortController()
      this.#opening = opening
      try {
        const bridge = this.bridge ?? sharedBridge()
        const mount = { into: this, signal: opening.signal }
        const window = await (windowUuid
          ? bridge.attachWindow({ ...mount, windowUuid })
          : bridge.mountWindow({ ...mount, appId: appId as string, ...(view && { view }), payload }))
        if (opening.signal.aborted) return this.#end(window)
        this.#listen(window)
        this.#tell('open', { window })
      } catch (error) {
        if (!opening.signal.aborted) this.#tell('error', { error })
      }
    }

    #listen(window: SvcWindow): void {
      this.#window = window
      window.on('title_changed', ({ title }) => this.#tell('title', { title }))
      window.on('lost', () => this.#tell('lost', { window }))
      window.on('closed', ({ reason }) => {
        if (this.#window !== window) return
        this.#window = undefined
        this.#tell('close', { reason })
      })
      if (this.#context) window.setContext(this.#context)
    }

    #leave(): void {
      this.#opening?.abort()
      const window = this.#window
      this.#window = undefined
      if (window) this.#end(window)
    }

    #end(window: SvcWindow): void {
      if (this.keep) window.detach()
      else
        window.close('', { force: true }).catch((error) => {
          window.detach()
          this.#tell('error', { error })
        })
    }
  }
  customElements.define(name, Element)
}
