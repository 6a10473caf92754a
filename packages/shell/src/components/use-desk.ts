import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Desk } from '../desk/desk.ts'
import { appsQuery } from '../state/apps.ts'
import type { Install } from '../state/install.ts'
import type { DeskState } from '../state/state.ts'

const DeskContext = createContext<Desk | null>(null)

/** Gives the desk to everything below it. */
export const DeskProvider = DeskContext.Provider

/** The desk of the page. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('no desk stands above this component')
  return desk
}

/** A part of what the page shows; `pick` must answer the same object while nothing changed. */
export function useDeskState<Part>(pick: (state: DeskState) => Part): Part {
  const { store } = useDesk()
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}

/** Whether somebody is signed in, as far as the page knows: for nobody else the host is asked for lists. */
export const useIsIn = (): boolean => useDeskState(({ signIn }) => signIn.phase === 'in')

/** The user's apps as they were read last. */
export const useApps = (): readonly Install[] =>
  useQuery({ ...appsQuery(useDesk().ask), enabled: false }).data ?? []
