import { useDeskState } from '../components/use-desk.ts'

/** Tells a screen reader what changed. */
export function Announcer() {
  const said = useDeskState((state) => state.said)
  return (
    <div aria-live="polite" className="unseen" role="status">
      {said}
    </div>
  )
}
