import { useCallback } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { type FieldName, fieldId } from '../state/field.ts'
import type { Trouble, Work } from '../state/manage-state.ts'

const idle: Work = { isBusy: false, trouble: null }

/** How something that the host was asked to do stands. */
export const useWork = (name: string): Work => useDeskState(({ manage }) => manage.work[name] ?? idle)

/** A refusal in one text, with what can be done. */
export const troubleText = ({ sentence, hint }: Trouble): string =>
  hint === null ? sentence : `${sentence.replace(/\.$/, '')}. ${hint}`

/** Tells for each field what was said against it when one of these works was tried. */
export function useErrors(...names: readonly string[]): (field: FieldName) => string | undefined {
  const work = useDeskState(({ manage }) => manage.work)
  return (field) => {
    const found = names.map((name) => work[name]?.trouble).find((trouble) => trouble?.field === field)
    return found ? troubleText(found) : undefined
  }
}

/** Puts the keyboard into a field. */
export function focusField(field: FieldName): void {
  const element = document.getElementById(fieldId(field))
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}

/** Has something done, and puts the keyboard into the field that a refusal speaks of. */
export function useAct(name: string): (act: () => Promise<boolean>) => void {
  const desk = useDesk()
  return useCallback(
    (act) =>
      void act().then((isDone) => {
        const trouble = desk.store.get().manage.work[name]?.trouble
        if (!isDone && trouble && trouble.field !== 'form') focusField(trouble.field)
      }),
    [desk, name],
  )
}
