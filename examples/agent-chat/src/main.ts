import { isHostRpcError, svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { openChat } from './chat.ts'
import { type Message, openComposer } from './composer.ts'
import { hearModel, showHints } from './hints.ts'
import { keepPlace, readPlace } from './place.ts'
import { openShelf } from './shelf.ts'
import { showTrouble } from './trouble.ts'
import { openTurns } from './turns.ts'

/** A session with one of these is no more, and another one has to be made. */
const gone: ReadonlySet<string> = new Set([
  'APP_SESSION_EXPIRED',
  'APP_SESSION_REVOKED',
  'APP_SESSION_NOT_FOUND',
])

followTheme(svc)
const composer = openComposer({ send, fail, stop: () => chat.stop() })
const putText = (text: string) => composer.put({ text, images: [] })
const chat = openChat(openTurns(), {
  busy: composer.turn,
  unsent: composer.put,
  moved: () => void shelf.refresh().catch(fail),
  answered(text) {
    byId('news').textContent = text
    hearModel(text, putText).catch(fail)
  },
})
const shelf = openShelf({
  current: () => chat.session,
  open: (session) => attempt(() => chat.resume({ session, run: null })),
  remove: (session) =>
    attempt(async () => {
      await svc.agent.session.delete({ app_session_uuid: session })
      if (session === chat.session) await leave()
      else await shelf.refresh()
    }),
})

byId('new').onclick = () =>
  attempt(async () => {
    await leave()
    byId('text').focus()
  })
// The text that could not be sent stands where it was written.
byId('go-on').onclick = () => {
  chat.leave()
  byId('send').click()
}
showHints((text) => {
  putText(text)
  byId('send').click()
}).catch(fail)
// Another window of this app may have begun or deleted chats.
svc.on('context', ({ focused }) => {
  if (focused) shelf.refresh().catch(fail)
})

await attempt(async () => {
  const place = await readPlace()
  await Promise.all([svc.window.ready(), place ? chat.resume(place) : shelf.refresh()])
})

/** The next message begins a chat of its own. */
async function leave(): Promise<void> {
  chat.leave()
  await keepPlace(null)
}

function send(message: Message): Promise<void> {
  fail(null)
  return chat.send(message)
}

/** Shows what went wrong, and a way on where the session is no more; `null` takes it away. */
function fail(error: unknown): void {
  showTrouble(byId('trouble'), error)
  byId('go-on').hidden = !(isHostRpcError(error) && gone.has(error.code))
}

/** Does something and shows what went wrong. */
async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    fail(null)
    await act()
  } catch (error) {
    fail(error)
  }
}
