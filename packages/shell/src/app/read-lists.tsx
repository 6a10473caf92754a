import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'
import { useDesk } from '../components/use-desk.ts'

/** Reads the lists again for somebody who comes back to the page: another page may have changed them. */
export function ReadLists() {
  const desk = useDesk()
  const visibility = useDocumentVisibility()
  useEffect(() => {
    desk.manage.setVisible(visibility === 'visible')
    if (visibility === 'visible') desk.readLists()
  }, [desk, visibility])
  return null
}
