import type { ComponentType, ReactNode } from 'react'
import type { DeskState } from '../desk/state.ts'
import { icons } from '../ui/icons.tsx'
import { Chat } from './chat.tsx'
import { Notices } from './notices.tsx'

/** A panel that can stand beside the desktop. */
export interface Panel {
  readonly id: string
  readonly label: string
  readonly icon: ReactNode
  readonly Body: ComponentType
  /** How much of it is new while it is shut. */
  readonly unreadOf: (unread: DeskState['unread']) => number
}

/** The panels, in the order of their buttons. A new panel is a new row. */
export const panels: readonly Panel[] = [
  { id: 'chat', label: 'Chat', icon: icons.chat, Body: Chat, unreadOf: ({ chat }) => chat },
  { id: 'notices', label: 'Notices', icon: icons.bell, Body: Notices, unreadOf: ({ notices }) => notices },
]
