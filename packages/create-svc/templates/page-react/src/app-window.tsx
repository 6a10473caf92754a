import type { Bridge, SvcWindow } from '@svc/bridge'
import { useEffect, useRef, useState } from 'react'
import type { App } from './list-apps.ts'

/** What a window is shown with. */
interface AppWindowProps {
  readonly bridge: Bridge
  readonly app: App
  readonly onError: (error: Error) => void
}

/** An app in a window, as long as this component is mounted. */
export function AppWindow({ bridge, app, onError }: AppWindowProps) {
  const into = useRef<HTMLDivElement>(null)
  const [title, setTitle] = useState(app.name)

  useEffect(() => {
    if (!into.current) return
    const leaving = new AbortController()
    let win: SvcWindow | undefined
    bridge.mountWindow({ into: into.current, appId: app.app_id, signal: leaving.signal }).then(
      (mounted) => {
        win = mounted
        mounted.on('title_changed', (event) => setTitle(event.title))
      },
      (error: Error) => {
        if (!leaving.signal.aborted) onError(error)
      },
    )
    return () => {
      leaving.abort()
      void win?.close('unmounted', { force: true })
    }
  }, [bridge, app, onError])

  return (
    <section className="window">
      <h2>{title}</h2>
      <div ref={into} />
    </section>
  )
}
