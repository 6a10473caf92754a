import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, vi } from 'vitest'
import {
  useBeforeClose,
  useCall,
  useConnection,
  useJob,
  useSession,
  useStored,
  useTitle,
  useTool,
} from './index.ts'
import { SvcWindow } from './svc-window.ts'

function App() {
  useTitle('Server')
  useBeforeClose(() => false)
  return [
    useTool('weather', 'forecast').state,
    useJob('weather', 'count').state,
    useCall((signal) => svc.storage.get({ key: 'a' }, { signal })).state,
    useSession({ submode: 'auto' }).state,
    useSession({ appSessionUuid: 'aps_1' }).state,
    useStored('note', { initial: 'none' }).value,
    useConnection().state,
  ].join()
}

verifies('bindings.server', 'renders each hook as it begins, and opens no connection', () => {
  const error = vi.spyOn(console, 'error')
  const port = vi.fn()
  vi.stubGlobal('MessageChannel', port)
  expect(renderToString(createElement(App))).toBe('idle,idle,idle,ready,loading,none,connecting')
  expect([error.mock.calls, port.mock.calls, Symbol.for('svc.sdk.2') in globalThis]).toEqual([[], [], false])
  vi.unstubAllGlobals()
  error.mockRestore()
})

verifies('bindings.server', 'renders a window as an empty element', () => {
  expect(renderToString(createElement(SvcWindow, { appId: 'app', className: 'mine' }))).toBe(
    '<svc-window class="mine"></svc-window>',
  )
})
