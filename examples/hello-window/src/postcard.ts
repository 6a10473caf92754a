import { type Hello, svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { showTrouble } from './trouble.ts'

/** The second view: shows the payload that it was opened with, and the new one when it is opened again. */
export function showPostcard(hello: Hello): void {
  show(hello)
  // Opening a view that is open brings it to the front; what it was given this time stands in a new hello.
  svc.on('window_focus_changed', () => attempt(async () => show(await svc.window.hello())))

  byId('back').onclick = () => attempt(() => svc.window.open_view({ view: 'main' }))
  byId('close').onclick = () => attempt(() => svc.window.close())
}

function show({ entry_payload }: Hello): void {
  const { message, sent_at } = readPayload(entry_payload)
  byId('greeting').textContent = message ?? 'No message: this window was opened without one.'
  byId('sent').textContent =
    sent_at === undefined
      ? ''
      : `Sent at ${new Date(sent_at).toLocaleTimeString(document.documentElement.lang)}`
}

/** A payload is whatever the other view sent: read, not trusted. */
function readPayload(payload: unknown): { message?: string; sent_at?: string } {
  const { message, sent_at } = (payload ?? {}) as Record<string, unknown>
  return {
    ...(typeof message === 'string' && { message }),
    ...(typeof sent_at === 'string' && !Number.isNaN(Date.parse(sent_at)) && { sent_at }),
  }
}

async function attempt(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => showTrouble(byId('trouble'), error))
}
