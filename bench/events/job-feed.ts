import { atPort, openTestHost } from '@svc/conformance/testing/host'
import type { HostOptions } from '@svc/host'
import type { JobInput } from '@svc/runner'
import { OWN_PLUGIN, OWN_TOOL, ownRunner } from '../lib/own-runner.ts'
import { type Feed, limitsFor, listen, USER } from './feed.ts'

const DAY_MS = 86_400_000

/** A job that runs and tells its progress to so many pages, of a host in memory or on this state. Close it. */
export async function openJobFeed(
  pages: number,
  state: Pick<HostOptions, 'store' | 'bus' | 'blobs' | 'secret'> = {},
): Promise<Feed> {
  const started = Promise.withResolvers<JobInput>()
  const runner = ownRunner(
    (input) =>
      new Promise((resolve) => {
        const onAbort = () => resolve({ ok: false, code: 'cancelled', message: 'the measurement is over' })
        input.signal.addEventListener('abort', onAbort, { once: true })
        input.onStarted()
        started.resolve(input)
      }),
  )
  const testHost = await openTestHost({
    ...state,
    runner,
    user: USER,
    plugins: [{ slug: OWN_PLUGIN.slug, command: [...OWN_PLUGIN.command] }],
    manifest: { required_plugs: [OWN_PLUGIN.slug] },
    limits: limitsFor(pages),
  })
  const { host } = testHost
  await host.plugins.ready()
  const window = await testHost.openWindow()
  const order = { tool_id: OWN_PLUGIN.slug, method: OWN_TOOL, args: {}, timeoutMs: DAY_MS }
  const reply = await window.call('tools', 'invokeAsync', order)
  if (!reply.ok) throw new Error(reply.error.message)
  const { jobId, onProgress, plugin } = await started.promise
  // Without a window of its app an event of a job is for the page alone: one event for each progress.
  await host.windows.close(USER, window.windowUuid, null)
  const about = { type: 'tool_job', window_uuid: null, job_id: jobId, tool_id: plugin.id, state: 'running' }
  const place = await listen(testHost, 'jobs=1')
  return {
    ...place,
    cookie: atPort(window.cookie, place),
    send: () => onProgress({ type: 'step', json: '{}' }),
    textOf: (seq) =>
      `id: ${seq}\ndata: ${JSON.stringify({ ...about, seq, event: 'progress', terminal: false })}\n\n`,
    markOf: (seq) => `"seq":${seq},`,
    close: testHost.close,
  }
}
