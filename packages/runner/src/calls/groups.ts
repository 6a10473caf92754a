import type { CommandSpec } from '../port/runner.ts'
import type { Worker } from './worker.ts'

/** Whose processes are meant. */
export interface GroupOwner {
  readonly userId: string
  readonly plugin: CommandSpec
  /** The app that calls; processes of two apps are never the same. */
  readonly appId?: string | undefined
  /** What a process is kept for alone: a window, or a session of an agent; left out: any call of the user and app. */
  readonly session?: string | undefined
}

/** Which sessions are meant: all that fit what is named. */
export interface SessionsOf {
  readonly userId?: string | undefined
  readonly session?: string | undefined
  readonly pluginId?: string | undefined
}

/** A process that waits for its next call. */
interface IdleProcess {
  readonly worker: Worker
  readonly sinceMs: number
}

/** The processes of one user, app and version of a plugin, or of one session of those; nobody else ever gets one of them. */
export interface Group extends GroupOwner {
  readonly key: string
  /** Names the compile cache that it shares with the other sessions of its user, app and plugin. */
  readonly cacheKey: string
  readonly idle: IdleProcess[]
  /** Processes that have not ended yet, whatever they do. */
  alive: number
  busy: number
  waiting: number
  /** Unix ms; 0 where no call has given a process back yet. */
  lastUseMs: number
  uses: number
  /** Its session has ended: no process is kept for it any more. */
  isOver: boolean
}

/** Whose a process is that was only asked what it is: whoever calls first gets it. No user has this id. */
export const NOBODY = '\u0000'

/** What of the processes of sessions no app of a user takes alone. */
const OTHERS_PART = 4

const fresh = () => ({ idle: [], alive: 0, busy: 0, waiting: 0, lastUseMs: 0, uses: 0, isOver: false })

/** The groups in use; `onForget(cacheKey)` is called when nothing is left that shares a cache. */
export function openGroups(onForget: (cacheKey: string) => void) {
  const groups = new Map<string, Group>()
  const sharing = new Map<string, number>()
  let known = new WeakMap<CommandSpec, Map<string, Map<string, Map<string, Group>>>>()

  function share(cacheKey: string, change: 1 | -1): void {
    const count = (sharing.get(cacheKey) ?? 0) + change
    if (count > 0) sharing.set(cacheKey, count)
    else if (sharing.delete(cacheKey)) onForget(cacheKey)
  }

  function make({ userId, appId, session, plugin }: GroupOwner): Group {
    const cacheKey = cacheKeyOf({ userId, appId, plugin })
    const key = session === undefined ? cacheKey : JSON.stringify([session, cacheKey])
    const found = groups.get(key)
    if (found) return found
    const group = { userId, appId, session, plugin, key, cacheKey, ...fresh() }
    groups.set(key, group)
    share(cacheKey, 1)
    return group
  }

  return {
    /** Known by the spec object and the names first: a long key a call would cost more than the rest of the pool. */
    of(owner: GroupOwner): Group {
      const { plugin, userId, appId = '', session = '' } = owner
      const users = known.get(plugin) ?? new Map()
      const apps = users.get(userId) ?? new Map()
      const sessions = apps.get(appId) ?? new Map()
      const before = sessions.get(session)
      if (before) return before
      const group = make(owner)
      known.set(plugin, users.set(userId, apps.set(appId, sessions.set(session, group))))
      return group
    },
    /** The processes that were only asked what they are. */
    nobodys: (plugin: CommandSpec) => groups.get(cacheKeyOf({ userId: NOBODY, plugin })),
    all: () => groups.values(),
    has: (group: Group) => groups.get(group.key) === group,
    /** The process that gives way to another: of the user with the most idle ones the one that has been idle longest. */
    oldestIdle(): { readonly group: Group; readonly one: IdleProcess } | undefined {
      const counts = new Map<string, number>()
      for (const { userId, idle } of groups.values())
        counts.set(userId, (counts.get(userId) ?? 0) + idle.length)
      const most = Math.max(...counts.values())
      return oldestOf(groups.values(), ({ userId }) => counts.get(userId) === most)
    },
    /**
     * Whether a user, or one app of his, has as many processes of sessions as it may; and which idle one then gives way to
     * another of this app: one of the app that has most of them, or of its own. The last quarter is for other apps.
     */
    oldestOfSessions({ userId, appId }: Pick<GroupOwner, 'userId' | 'appId'>, max: number) {
      const own = [...groups.values()].filter((one) => one.userId === userId && one.session !== undefined)
      const sum = (some: readonly Group[]) =>
        some.reduce((all, { busy, idle }) => all + busy + idle.length, 0)
      const ofApp = (app: string | undefined) => sum(own.filter((one) => one.appId === app))
      const mine = ofApp(appId)
      const isFull = sum(own) >= max || mine >= max - Math.floor(max / OTHERS_PART)
      const most = Math.max(0, ...own.map((one) => (one.idle.length > 0 ? ofApp(one.appId) : 0)))
      const isOthers = mine === 0 || most > mine + 1
      const may = (one: Group) => (isOthers ? ofApp(one.appId) === most : one.appId === appId)
      return { isFull, oldest: isFull ? oldestOf(own, may) : undefined }
    },
    /** Those of sessions, as they are now. */
    sessions: ({ userId, session, pluginId }: SessionsOf): Group[] =>
      [...groups.values()].filter(
        (group) =>
          group.session !== undefined &&
          (session === undefined || group.session === session) &&
          (userId === undefined || group.userId === userId) &&
          (pluginId === undefined || group.plugin.id === pluginId),
      ),
    /** Twice is harmless. */
    forget(group: Group): void {
      if (!groups.delete(group.key)) return
      // Nothing says which specs led to it; those still in use find theirs again at the cost of one key.
      known = new WeakMap()
      share(group.cacheKey, -1)
    },
  }
}

function cacheKeyOf({ userId, appId, plugin }: GroupOwner): string {
  const { id, version, command, args, cwd, env, reach } = plugin
  return JSON.stringify([userId, appId, id, version, command, args, cwd, env, reach])
}

function oldestOf(groups: Iterable<Group>, may: (group: Group) => boolean) {
  let oldest: { readonly group: Group; readonly one: IdleProcess } | undefined
  for (const group of groups) {
    const [one] = group.idle
    if (one && may(group) && (!oldest || one.sinceMs < oldest.one.sinceMs)) oldest = { group, one }
  }
  return oldest
}

/** Takes a process out of those that wait for a call; whether it was among them. */
export function takeOut({ idle }: Group, worker: Worker): boolean {
  const at = idle.findIndex((one) => one.worker === worker)
  if (at !== -1) idle.splice(at, 1)
  return at !== -1
}
