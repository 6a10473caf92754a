import { slackMs } from '@svc/conformance/processes'
import { expect, it } from 'vitest'
import { startPlugin } from './testing/plugin.ts'

/** What a host waits before it kills the process. */
const CANCEL_KILL_MS = 500

it('gives its work up before a host would kill it', async () => {
  const plugin = startPlugin()
  plugin.index('world')
  await plugin.reaches('compares the entries')
  const from = performance.now()
  plugin.say({ method: 'cancel', params: { id: 'job', reason: 'enough' } })
  const { result } = await plugin.reply()
  const ms = performance.now() - from
  expect(result).toEqual({ success: false, error: 'enough' })
  console.log(`stopped ${ms.toFixed(0)} ms after the cancel`)
  expect(ms).toBeLessThan(CANCEL_KILL_MS + (await slackMs()))
  expect(await plugin.end()).toBe(0)
})
