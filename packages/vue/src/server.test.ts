import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { expect, vi } from 'vitest'
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
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

verifies('bindings.server', 'renders each state as it begins, and opens no connection', async () => {
  const port = vi.fn()
  vi.stubGlobal('MessageChannel', port)
  const app = createSSRApp({
    setup() {
      useTitle('Server')
      useBeforeClose(() => false)
      const states = [
        useTool('weather', 'forecast').value.state,
        useJob('weather', 'count').value.state,
        useCall((signal) => svc.storage.get({ key: 'a' }, { signal })).value.state,
        useSession({ appSessionUuid: 'aps_1' }).value.state,
        useStored('note', { initial: 'none' }).value.value,
        useConnection().value.state,
      ]
      return () => states.join()
    },
  })
  expect(await renderToString(app)).toBe('idle,idle,idle,loading,none,connecting')
  expect([port.mock.calls, Symbol.for('svc.sdk.2') in globalThis]).toEqual([[], false])
  vi.unstubAllGlobals()
})
