import type { ComponentType, ReactNode } from 'react'
import { icons } from '../components/icons.tsx'
import { useDeskState } from '../components/use-desk.ts'
import { activeCount } from '../state/jobs.ts'
import { Chat } from './chat.tsx'
import { Jobs } from './jobs.tsx'
import { Notices } from './notices.tsx'
import { Sessions } from './sessions.tsx'
import { JOBS_PANEL, useJobs } from './use-jobs.ts'
import { SESSIONS_PANEL } from './use-sessions.ts'

/** A panel that can be shown beside the desktop. */
export interface Panel {
  readonly id: string
  readonly label: string
  readonly icon: ReactNode
  readonly Body: ComponentType
  /** How much of it somebody should know of who does not see it; left out: nobody knows while it is shut. */
  readonly useCount?: () => number
  /** What is counted, after the number. */
  readonly counted?: string
}

/** The panels, in the order of their buttons. A new panel is a new row. */
export const panels: readonly Panel[] = [
  {
    id: JOBS_PANEL,
    label: 'Jobs',
    icon: icons.jobs,
    Body: Jobs,
    useCount: () => activeCount(useJobs().data),
    counted: 'active',
  },
  { id: SESSIONS_PANEL, label: 'Sessions', icon: icons.sessions, Body: Sessions },
  {
    id: 'chat',
    label: 'Chat',
    icon: icons.chat,
    Body: Chat,
    useCount: () => useDeskState(({ unread }) => unread.chat),
    counted: 'new',
  },
  {
    id: 'notices',
    label: 'Notices',
    icon: icons.bell,
    Body: Notices,
    useCount: () => useDeskState(({ unread }) => unread.notices),
    counted: 'new',
  },
]
