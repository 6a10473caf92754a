import type { Bridge } from '@svc/bridge'
import { useEffect, useState } from 'react'
import { AppWindow } from './app-window.tsx'
import { type App, listApps } from './list-apps.ts'

/** Two windows of the first app. */
export function Desk({ bridge, title }: { readonly bridge: Bridge; readonly title: string }) {
  const [app, setApp] = useState<App | null>(null)
  const [error, setError] = useState<Error | null>(null)

  useEffect(() => {
    listApps().then(([first]) => {
      if (first) setApp(first)
      else setError(new Error('the host has no app'))
    }, setError)
  }, [])

  return (
    <>
      <h1>{title}</h1>
      {app && (
        <div className="windows">
          <AppWindow bridge={bridge} app={app} onError={setError} />
          <AppWindow bridge={bridge} app={app} onError={setError} />
        </div>
      )}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
