import { BridgeError } from '@svc/bridge'
import type { DeskParts } from '../state/parts.ts'
import { noUser } from '../state/state.ts'
import { newsOf } from '../state/tell.ts'
import { remove } from './context.ts'
import { loadDesk } from './restore.ts'

/** The name that the form offers to somebody new. */
export const DEFAULT_USER = 'dev'

/** Begins: with the cookie that is there, else with the remembered name, else with the form. */
export async function begin(parts: DeskParts): Promise<void> {
  parts.store.set((state) => ({ ...state, signIn: { phase: 'asking' } }))
  try {
    const { user_id: user } = await parts.ask('GET /api/v1/auth/whoami')
    if (user === null) return await signInAgain(parts)
    await showSignIn(parts, user)
  } catch (error) {
    if (!isSignedOut(error)) return showFailure(parts, error)
    await signInAgain(parts)
  }
}

/** The host does not know our sign-in any more: the same name signs in again, once at a time, or the form asks. */
export function signInAgain(parts: DeskParts): Promise<void> {
  const { session } = parts
  session.again ??= fromMemory(parts).finally(() => {
    session.again = null
  })
  return session.again
}

async function fromMemory(parts: DeskParts): Promise<void> {
  const { user } = parts.memory
  if (user === null) return showForm(parts, null)
  try {
    await enter(parts, user)
  } catch (error) {
    showFailure(parts, error)
  }
}

/** Signs in from the form. */
export async function signIn(parts: DeskParts, user: string, remember: boolean): Promise<void> {
  const { signIn } = parts.store.get()
  const back = signIn.phase === 'out' && signIn.back
  parts.store.set((state) => ({ ...state, signIn: { phase: 'out', problem: null, busy: true, back } }))
  try {
    await enter(parts, user)
    parts.memory.keepUser(remember ? user : null)
  } catch (error) {
    showForm(parts, problemOf(error), back)
  }
}

/** Asks for another name: who is signed in stays so until another is. */
export const changeName = (parts: DeskParts): void => showForm(parts, null, true)

/** Signs out in every tab of this browser, until somebody signs in: the name that signs in by itself is forgotten. */
export async function signOut(parts: DeskParts): Promise<void> {
  const { user } = parts.memory
  // Before: the other tabs ask for it as soon as their sign-in has ended.
  parts.memory.keepUser(null)
  try {
    await parts.ask('POST /api/v1/auth/sign-out', { body: {} })
    if ((await parts.ask('GET /api/v1/auth/whoami')).user_id !== null)
      throw new BridgeError({ code: 'permission_denied', message: OWN_SIGN_OUT })
  } catch (error) {
    if (!isSignedOut(error)) {
      parts.memory.keepUser(user)
      parts.tell(newsOf(error, 'sign-out'))
      return
    }
  }
  leaveAll(parts)
  parts.session.user = null
  showForm(parts, null)
}

const OWN_SIGN_OUT = 'This host has its own sign-in: sign out there'

/** Stays who one is. */
export const keepName = ({ store }: DeskParts): void =>
  store.set((state) => ({ ...state, signIn: { phase: 'in' } }))

/** Signs in. */
async function enter(parts: DeskParts, user: string): Promise<void> {
  await parts.ask('POST /api/v1/auth/dev-login', { body: { user } })
  await showSignIn(parts, user)
}

/** Shows the page of a user; what another one had on it leaves it first. */
async function showSignIn(parts: DeskParts, user: string): Promise<void> {
  if (parts.session.user !== user) leaveAll(parts)
  parts.session.user = user
  await loadDesk(parts)
}

/** Takes every window and all that is of its user off the page. The windows stay open at the host, for their user. */
function leaveAll(parts: DeskParts): void {
  for (const { key } of parts.store.get().windows) {
    parts.handles.get(key)?.detach()
    remove(parts, key)
  }
  parts.queries.getMutationCache().clear()
  void parts.queries.resetQueries()
  parts.store.set((state) => ({ ...state, ...noUser }))
}

const isSignedOut = (error: unknown) => error instanceof BridgeError && error.code === 'invalid_token'

function showFailure(parts: DeskParts, error: unknown): void {
  const problem = problemOf(error)
  if (error instanceof BridgeError && error.code === 'host_unreachable')
    parts.store.set((state) => ({ ...state, signIn: { phase: 'trouble', problem } }))
  else showForm(parts, problem)
}

function problemOf(error: unknown): string {
  if (error instanceof BridgeError && error.code === 'not_found')
    return 'This host has its own sign-in: sign in there, then reload this page.'
  const { sentence, hint } = newsOf(error, 'sign-in')
  return `${sentence}. ${hint ?? ''}`.trim()
}

const showForm = ({ store }: DeskParts, problem: string | null, back = false) =>
  store.set((state) => ({ ...state, signIn: { phase: 'out', problem, busy: false, back } }))
