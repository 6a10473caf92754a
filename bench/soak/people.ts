import {
  BASE,
  bytesOf,
  type CallSocket,
  openCallSocket,
  openWindow,
  signIn,
  type Target,
  type User,
  type Window,
} from './client.ts'
import { type EventReader, readEvents } from './events.ts'

/** A user with an open page: an event stream, a call socket and windows that stay. */
export interface Person {
  readonly user: User
  readonly windows: readonly [Window, Window]
  readonly socket: CallSocket
  readonly events: EventReader
}

/** All who use the host while it is soaked, and the app that they have. */
export interface People {
  readonly target: Target
  readonly appId: string
  readonly all: readonly Person[]
  /** One after the other, by a number that counts. */
  one(n: number): Person
}

const PEOPLE = 8

/** What the app of a soak asks for, all of which its users grant. */
export const manifest = (name: string) => ({
  schema: 3,
  name,
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true }],
    host_api: {
      storage: ['*'],
      files: ['*'],
      upload: ['*'],
      image: ['generate'],
      llm: ['complete', 'stream'],
      agent: { session: { auto: true } },
    },
  },
  required_plugs: ['soak'],
})
export const grants = { image_grant: true, upload_grant: true }
export const files = (text: string) => ({ 'index.html': bytesOf(text), 'same.js': bytesOf('same') })

/** Registers an app of a user's and pushes its draft; returns its id. */
export async function pushApp(user: User, slug: string): Promise<string> {
  const { app_id } = await user.ask<{ app_id: string }>('POST', `${BASE}/apps`, { slug, name: 'Soak' })
  await user.ask('PUT', `${BASE}/apps/${app_id}/draft`, {
    manifest: manifest('Soak'),
    files: files(`<p>${slug}`),
  })
  return app_id
}

export const install = (user: User, app_id: string, version: string): Promise<{ install_id: string }> =>
  user.ask('POST', `${BASE}/installs`, { app_id, version, grants })

/** Signs all in and opens their pages. */
export async function openPeople(target: Target): Promise<People> {
  const owner = await signIn(target, 'owner')
  const appId = await pushApp(owner, 'soak-app')
  await owner.ask('POST', `${BASE}/apps/${appId}/releases`, { version: '1.0.0' })
  const person = async (at: number): Promise<Person> => {
    const user = await signIn(target, `person-${at}`)
    await install(user, appId, '1.0.0')
    const windows = [await openWindow(target, user, appId), await openWindow(target, user, appId)] as const
    const events = await readEvents(
      target,
      user,
      windows.map(({ uuid }) => uuid),
    )
    return { user, windows, events, socket: await openCallSocket(target, user) }
  }
  const all: Person[] = []
  for (let at = 0; at < PEOPLE; at++) all.push(await person(at))
  return { target, appId, all, one: (n) => all[n % all.length] as Person }
}
