import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'
import { useDesk } from './use-desk.ts'

/** Reads the jobs again for somebody who comes back to the page: another page may have started some. */
export function ReadJobs() {
  const desk = useDesk()
  const visibility = useDocumentVisibility()
  useEffect(() => {
    if (visibility === 'visible') desk.readJobs()
  }, [desk, visibility])
  return null
}
