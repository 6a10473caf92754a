import type { WorkServices } from '../services.ts'
import { isActive, sessions } from '../sessions/session-row.ts'

/** Ends the processes of windows and agent sessions that are over, whoever ended them, and that no plugin is told of. */
export const sweepToolSessions = ({
  copies,
  store,
  toolSessions,
}: Pick<WorkServices, 'copies' | 'store' | 'toolSessions'>): Promise<void> =>
  toolSessions.sweep(async ({ kind, id }) => {
    if (kind === 'window') {
      const window = await copies.windows.get(id)
      return !window || window.row.closed_at !== null
    }
    const session = await store.get(sessions, id)
    return !session || !isActive(session.row)
  })
