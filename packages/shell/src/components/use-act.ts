import { type QueryKey, useMutation, useMutationState } from '@tanstack/react-query'
import { type FieldName, fieldId } from '../state/field.ts'
import type { ManageState } from '../state/manage-state.ts'
import type { News } from '../state/notices.ts'
import { succeeded, type Trouble, troubleOf } from '../state/tell.ts'
import { useDesk } from './use-desk.ts'

/** What something led to. */
export interface Done {
  /** What a screen reader announces. */
  readonly said?: string
  /** What comes among the notices. */
  readonly news?: News
  /** What changes in Manage. */
  readonly change?: (manage: ManageState) => Partial<ManageState>
  /** What the host told takes the place of what was known under a key. */
  readonly told?: readonly [QueryKey, unknown]
  /** The lists that are read again. */
  readonly reads?: QueryKey
}

/** Something that the host can be asked to do. */
export interface Act {
  readonly isBusy: boolean
  /** Why it was not done the last time. */
  readonly trouble: Trouble | null
  /** Does it; the keyboard goes to the field that a refusal speaks of. */
  run(): void
  /** Forgets why it was not done. */
  forget(): void
}

/**
 * Has the host do something under a name, once at a time, and keeps why it did not until it is tried again, wherever
 * the user goes meanwhile. What comes for somebody who is not signed in any more is dropped.
 */
export function useAct(name: string, act: () => Promise<Done>): Act {
  const { queries, session, store, tabs, say, tell, change } = useDesk()
  const filters = { mutationKey: [name], exact: true }
  const last = useMutationState({ filters, select: ({ state }) => state }).at(-1)
  const { mutate } = useMutation({
    mutationKey: [name],
    async mutationFn() {
      const who = session.user
      const done = await act()
      if (session.user !== who) return
      if (done.told) queries.setQueryData(...done.told)
      if (done.change) change(done.change)
      if (done.said) say(done.said)
      if (done.news) tell({ ...done.news, tried: name })
      else {
        succeeded(store, name)
        tabs.tell()
      }
      if (done.reads) await queries.invalidateQueries({ queryKey: done.reads })
    },
    onError: (error) => focusField(troubleOf(error).field),
  })
  const forget = () => {
    const cache = queries.getMutationCache()
    for (const mutation of cache.findAll(filters)) cache.remove(mutation)
  }
  return {
    isBusy: last?.status === 'pending',
    trouble: last?.error ? troubleOf(last.error) : null,
    run() {
      if (queries.isMutating(filters) > 0) return
      forget()
      mutate()
    },
    forget,
  }
}

/** Tells for each field what was said against it when one of these was tried. */
export const errorsOf =
  (...acts: readonly Act[]) =>
  (field: FieldName): string | undefined =>
    acts.find(({ trouble }) => trouble?.field === field)?.trouble?.sentence

/** Puts the keyboard into a field, where it is there. */
export function focusField(field: FieldName): void {
  const element = document.getElementById(fieldId(field))
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
