import { svc } from '@svc/sdk'
import { createTitle } from '@svc/sdk/state'
import { useEffect, useMemo } from 'react'

/**
 * Gives the window a title. An unmount leaves it. Outside a host it does nothing.
 *
 * @param title 1–120 characters.
 */
export function useTitle(title: string): void {
  const setTitle = useMemo(() => createTitle(svc), [])
  useEffect(() => {
    void setTitle(title)
  }, [setTitle, title])
}
