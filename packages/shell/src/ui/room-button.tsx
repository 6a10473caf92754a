import { ROOM_ID } from '../room/room.tsx'
import styles from './top-bar.module.css'
import { useDesk, useDeskState } from './use-desk.ts'

/** Opens and shuts the room where plugins, runners and apps are managed. */
export function RoomButton() {
  const desk = useDesk()
  const isOpen = useDeskState(({ manage }) => manage.isOpen)
  return (
    <button
      aria-controls={ROOM_ID}
      aria-expanded={isOpen}
      className={styles.room}
      onClick={() => desk.manage.setOpen(!isOpen)}
      type="button"
    >
      Manage
    </button>
  )
}
