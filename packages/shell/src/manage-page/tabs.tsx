import type { ComponentType } from 'react'
import type { Tab } from '../state/manage-state.ts'
import { Apps } from './apps.tsx'
import { Plugins } from './plugins.tsx'
import { Runners } from './runners.tsx'

/** The tabs of Manage, in their order. */
export const tabs: readonly { readonly id: Tab; readonly label: string; readonly Body: ComponentType }[] = [
  { id: 'plugins', label: 'Plugins', Body: Plugins },
  { id: 'runners', label: 'Runners', Body: Runners },
  { id: 'apps', label: 'Apps', Body: Apps },
]
