import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { render } from 'svelte/server'
import { expect, it, vi } from 'vitest'
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
import Use from './testing/use.svelte'
import Weather from './testing/weather.svelte'

verifies('bindings.server', 'renders each state as it begins, and opens no connection', async () => {
  const port = vi.fn()
  vi.stubGlobal('MessageChannel', port)
  const use = () => {
    useTitle('Server')
    useBeforeClose(() => false)
    return [
      useTool('weather', 'forecast').state,
      useJob('weather', 'count').state,
      useCall((signal) => svc.storage.get({ key: 'a' }, { signal })).state,
      useSession({ appSessionUuid: 'aps_1' }).state,
      useStored('note', { initial: 'none' }).value,
      useConnection().state,
    ]
  }
  const { body } = await render(Use, { props: { use, show: (states: string[]) => states } })
  expect(body).toContain('["idle","idle","idle","loading","none","connecting"]')
  expect((await render(Weather)).body).toMatch(/<input value="Rome" disabled[^>]*>/)
  expect([port.mock.calls, Symbol.for('svc.sdk.2') in globalThis]).toEqual([[], false])
  vi.unstubAllGlobals()
})

it('has the component of the README', () => {
  const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  expect(textOf('../README.md')).toContain(`\`\`\`svelte\n${textOf('testing/weather.svelte')}\`\`\``)
})
