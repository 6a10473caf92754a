import type { Rect } from '../geometry/rect.ts'
import type { WindowPlacement } from './state.ts'

/** Where a window was: what the host does not keep of it. */
export interface Place extends Pick<Rect, 'x' | 'y'>, Omit<WindowPlacement, 'rect'> {}

/** What the page remembers from one load to the next, in this browser only. */
export type Memory = ReturnType<typeof openMemory>

/** The part of `localStorage` that is used. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const PLACES = 'svc.places'
const USER = 'svc.user'

/** Opens the memory. A storage that is shut (private browsing) or full remembers nothing and hurts nobody. */
export function openMemory(storage: PageStorage) {
  return {
    get places(): ReadonlyMap<string, Place> {
      return readPlaces(attempt(() => storage.getItem(PLACES)) ?? '{}')
    },
    /** Keeps the places of these windows and forgets all others. */
    keepPlaces: (places: ReadonlyMap<string, Place>): void =>
      attempt(() => storage.setItem(PLACES, JSON.stringify(Object.fromEntries(places)))),
    /** The name that signs in by itself, or `null`. */
    get user(): string | null {
      return attempt(() => storage.getItem(USER)) ?? null
    },
    keepUser: (name: string | null): void =>
      attempt(() => (name === null ? storage.removeItem(USER) : storage.setItem(USER, name))),
  }
}

/** The stored text may be anything: only whole places are taken. */
function readPlaces(text: string): ReadonlyMap<string, Place> {
  const value = attempt(() => JSON.parse(text) as unknown)
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).filter((entry): entry is [string, Place] => isPlace(entry[1])))
}

const flags = ['over', 'minimised', 'maximised'] as const

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'x' in value &&
  'y' in value &&
  Number.isFinite(value.x) &&
  Number.isFinite(value.y) &&
  flags.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'boolean')

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
