import { appOf } from '../state/job.ts'
import type { DeskParts } from '../state/parts.ts'
import { sessionTitle } from '../state/session.ts'
import { newsOf } from '../state/tell.ts'

/** Ends a session of any app; of one that has ended nothing is left to do. */
export async function endSession(parts: DeskParts, uuid: string): Promise<void> {
  const { store, api, tell } = parts
  const { sessions, apps } = store.get()
  const session = sessions.list.find(({ app_session_uuid }) => app_session_uuid === uuid)
  if (!session || sessions.ending.includes(uuid)) return
  const waits = (ending: readonly string[]) =>
    store.set((state) => ({ ...state, sessions: { ...state.sessions, ending } }))
  waits([...sessions.ending, uuid])
  try {
    await api.endSession(uuid)
  } catch (error) {
    tell(newsOf(error, `${appOf(session, apps).name} · ${sessionTitle(session)}`))
  }
  waits(store.get().sessions.ending.filter((one) => one !== uuid))
}
