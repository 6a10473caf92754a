import { Button } from '@mantine/core'
import { ROOM_ID } from '../room/room.tsx'
import { useDesk, useDeskState } from './use-desk.ts'

/** Opens and shuts the room where plugins, runners and apps are managed. */
export function RoomButton() {
  const desk = useDesk()
  const isOpen = useDeskState(({ manage }) => manage.isOpen)
  return (
    <Button
      aria-controls={ROOM_ID}
      aria-expanded={isOpen}
      color={isOpen ? 'indigo' : 'gray'}
      onClick={() => desk.manage.setOpen(!isOpen)}
      size="compact-md"
      variant={isOpen ? 'light' : 'subtle'}
    >
      Manage
    </Button>
  )
}
