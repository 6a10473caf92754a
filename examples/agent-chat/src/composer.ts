import type { Attachment } from '@svc/sdk'
import { byId } from './by-id.ts'
import { acceptedTypes, readImages } from './images.ts'
import { make } from './make.ts'

/** What a user sends at once. */
export interface Message {
  readonly text: string
  readonly images: readonly Attachment[]
}

/** What the place to write in can have done. */
export interface ComposerActions {
  send(message: Message): Promise<void>
  stop(): void
  fail(error: unknown): void
}

/** The place to write in. */
export interface Composer {
  /** Puts a message there, to be sent or changed. */
  put(message: Message): void
  /** Whether an answer is under way: it can be stopped, and nothing be sent. */
  turn(isBusy: boolean): void
}

/** Opens the place to write in. What stands there is taken away when it is sent. */
export function openComposer({ send, stop, fail }: ComposerActions): Composer {
  const text = byId('text', HTMLTextAreaElement)
  const files = byId('files', HTMLInputElement)
  let images: readonly Attachment[] = []
  let isBusy = false

  function showImages(all: readonly Attachment[]): void {
    images = all
    byId('images').replaceChildren(
      ...all.map((image) => {
        const name = image.filename ?? 'image'
        const drop = () => showImages(images.filter((one) => one !== image))
        return make(
          'li',
          {},
          make('img', { src: image.data ?? '', alt: name }),
          make('button', { type: 'button', ariaLabel: `Remove ${name}`, onclick: drop }, '×'),
        )
      }),
    )
  }

  function put(message: Message): void {
    text.value = message.text
    showImages(message.images)
    text.focus()
  }

  function sendIt(): void {
    if (isBusy || text.value.trim() === '') return
    const message = { text: text.value, images }
    put({ text: '', images: [] })
    send(message).catch(fail)
  }

  byId('send').onclick = sendIt
  byId('stop').onclick = stop
  // A sandboxed document may have no forms, so Enter is heard by hand; with a candidate list open it belongs to that.
  text.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    sendIt()
  }
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isBusy) stop()
  })
  files.accept = acceptedTypes
  files.onchange = async () => {
    const chosen = [...(files.files ?? [])]
    files.value = ''
    try {
      const read = await readImages(chosen, images.length)
      showImages([...images, ...read])
    } catch (error) {
      fail(error)
    }
  }

  return {
    put,
    turn(busy) {
      const hadFocus = document.activeElement === byId('stop')
      isBusy = busy
      byId('stop').hidden = !busy
      byId('send').hidden = busy
      // Who pressed a button that is gone must not be thrown to the top of the page.
      if (hadFocus && !busy) text.focus()
    },
  }
}
