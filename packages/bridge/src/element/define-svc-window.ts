import type { HostContext } from '@svc/contract/wire'
import type { Bridge } from '../bridge.ts'
import { BridgeError } from '../bridge-error.ts'
import { createBridge } from '../create-bridge.ts'
import type { SvcWindow } from '../svc-window.ts'
import { createNotice } from './notice.ts'
import type { SvcWindowElement, SvcWindowElementEvents, SvcWindowTrouble } from './svc-window-element.ts'

/** Options of `defineSvcWindow`. */
export interface DefineOptions {
  /** The bridge that opens windows. Default: `createBridge()`, made for the first window. */
  readonly bridge?: Bridge | undefined
  /** The name of the element. Default `svc-window`. */
  readonly name?: string
}

/** What tells the class of such an element: the bridge of all that have none of their own, the first that is given. */
interface Defined {
  readonly svcBridge: (given?: Bridge) => Bridge | null
}

/** Throws where elements of this name are not what was to be defined. */
function agree(name: string, { svcBridge }: Partial<Defined>, bridge: Bridge | undefined): void {
  const why = !svcBridge
    ? 'another element'
    : bridge && bridge !== svcBridge(bridge) && 'defined with another bridge'
  if (!why) return
  const hint = `Give defineSvcWindow another name, or each element its own: element.bridge = bridge.`
  throw new BridgeError({ code: 'conflict', message: `<${name}> is ${why} already`, details: { hint } })
}

/**
 * Defines the element `<svc-window>` in this page. A name that is defined already stays as it is, and on a server nothing is
 * done. Define it before an element gets properties.
 * @throws BridgeError `conflict` where the name is that of another element, or was defined with another bridge than is given.
 *
 * @example
 * ```ts
 * defineSvcWindow({ bridge: createBridge({ baseUrl: '/svc' }) })
 * document.body.innerHTML = '<svc-window app-id="app_1"></svc-window>'
 * ```
 */
export function defineSvcWindow({ bridge: shared, name = 'svc-window' }: DefineOptions = {}): void {
  if (typeof customElements === 'undefined') return
  const defined = customElements.get(name) as Partial<Defined> | undefined
  if (defined) agree(name, defined, shared)
  if (defined) return
  let ours = shared
  function sharedBridge(): Bridge {
    ours ??= createBridge()
    return ours
  }

  class Element extends HTMLElement implements SvcWindowElement {
    static svcBridge(given?: Bridge): Bridge | null {
      ours ??= given
      return ours ?? null
    }
    static readonly observedAttributes = ['app-id', 'view', 'window-uuid', 'keep']
    bridge: Bridge | undefined
    payload: unknown
    #context: HostContext | undefined
    #window: SvcWindow | undefined
    #opening: AbortController | undefined
    #shown = ''
    #trouble: SvcWindowTrouble | null = null
    #notice: HTMLElement | undefined

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

    /** Whether nobody brings something of its own in place of what follows. */
    #tell<Type extends keyof SvcWindowElementEvents>(
      type: Type,
      detail: SvcWindowElementEvents[Type],
    ): boolean {
      return this.dispatchEvent(new CustomEvent(type, { detail, cancelable: type === 'trouble' }))
    }

    /** Says why the window shows no app; `null`: it does, or there is none. */
    #say(trouble: SvcWindowTrouble | null): void {
      if (trouble === this.#trouble) return
      this.#trouble = trouble
      this.#notice?.remove()
      if (!this.#tell('trouble', { trouble }) || !trouble) return
      this.#notice = createNotice(
        trouble,
        () => this.reload(),
        () => this.#close(),
      )
      this.style.position ||= 'relative'
      this.append(this.#notice)
    }

    reload(): void {
      this.#say(null)
      const window = this.#window
      if (!window) this.#shown = ''
      // Who emptied the element took its window out of it.
      else if (!this.contains(window.iframe)) this.append(window.iframe)
      else window.reload()
      this.#update()
    }

    #close(): void {
      this.#say(null)
      if (this.#window) this.#end(this.#window, false)
      else this.#tell('close', { reason: null })
    }

    #update(): void {
      const { appId, view, windowUuid } = this
      const isWanted = this.isConnected && (appId || windowUuid)
      const wanted = isWanted ? JSON.stringify([appId, view, windowUuid]) : ''
      const before = this.#shown
      this.#shown = wanted
      if (this.#window) this.#window.keep = this.keep
      // Who writes down which window it is means the one that is here.
      if (wanted === before || (wanted && windowUuid && windowUuid === this.#window?.windowUuid)) return
      this.#leave()
      if (wanted) void this.#open()
    }

    async #open(): Promise<void> {
      const { appId, view, windowUuid, payload } = this
      const opening = new AbortController()
      this.#opening = opening
      // What is here is a copy of another window, or what was to be seen until now.
      this.replaceChildren()
      try {
        const bridge = this.bridge ?? sharedBridge()
        const mount = { into: this, signal: opening.signal }
        const window = await (windowUuid
          ? bridge.attachWindow({ ...mount, windowUuid })
          : bridge.mountWindow({
              ...mount,
              appId: appId as string,
              ...(view && { view }),
              payload,
              keep: this.keep,
            }))
        if (opening.signal.aborted) return this.#end(window)
        this.#listen(window)
        this.#tell('open', { window })
      } catch (error) {
        if (opening.signal.aborted) return
        this.#tell('error', { error })
        this.#say('failed')
      }
    }

    #listen(window: SvcWindow): void {
      this.#window = window
      window.keep = this.keep
      for (const child of [...this.childNodes]) if (child !== window.iframe) child.remove()
      window.on('title_changed', ({ title }) => this.#tell('title', { title }))
      // One that is being closed may still tell of itself.
      const say = (trouble: SvcWindowTrouble | null) => this.#window === window && this.#say(trouble)
      window.on('connected', () => say(null))
      window.on('ended', () => say('ended'))
      window.on('responds', (does) => say(does ? null : 'silent'))
      window.on('lost', () => this.#tell('lost', { window }))
      window.on('closed', ({ reason }) => {
        if (this.#window !== window) return
        this.#window = undefined
        this.#say(null)
        this.#tell('close', { reason })
      })
      if (this.#context) window.setContext(this.#context)
    }

    #leave(): void {
      this.#say(null)
      this.#opening?.abort()
      const window = this.#window
      this.#window = undefined
      if (window) this.#end(window)
    }

    #end(window: SvcWindow, keep = this.keep): void {
      if (keep) window.detach()
      else
        window.close('', { force: true }).catch((error) => {
          window.detach()
          this.#tell('error', { error })
        })
    }
  }
  customElements.define(name, Element)
}
