import { limits } from '../limits/index.ts'
import { anyObject } from '../methods/rules.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { route } from './row.ts'

const name = text(limits.NAME_MAX_CHARS)

/** A call. */
export const envelope = z.object({
  id: text(limits.CALL_ID_MAX_CHARS),
  window_uuid: name,
  ns: name,
  method: name,
  args: anyObject,
})

/** What every call of a window travels on, and what the page hears. */
export const calls = {
  'calls.rpc': route('POST', '/api/v1/svc-apps/runtime/rpc', {
    auth: 'window+cookie',
    tag: 'calls',
    summary:
      'Takes one call, or a batch of calls whose answers come as lines (application/x-ndjson) in the order in which they are ready.',
    body: () => z.union([envelope, z.array(envelope).min(1).max(limits.BATCH_MAX_CALLS)]),
    answer: () => z.object({ id: z.string(), ok: z.literal(true), result: anyObject }),
    failure: 'envelope',
    example: {
      body: {
        id: '1',
        window_uuid: '6f1c2f9e-3a51-4a3e-9a51-0f4b6c1d2e3f',
        ns: 'storage',
        method: 'get',
        args: { key: 'draft' },
      },
      answer: { id: '1', ok: true, result: { value: { text: 'Hello' }, etag: '"1"' } },
    },
    errors: [
      'not_implemented',
      'bundle_not_ready',
      'precondition_failed',
      'state_too_large',
      'agent_unavailable',
      'plug_unavailable',
      'plug_error',
      'tool_failed',
      'tool_timeout',
      'subcall_timeout',
      'result_too_large',
      'frame_too_large',
      'cancelled',
      'job_not_found',
      'job_quota_exceeded',
      'long_job_capacity',
      'quota_exceeded',
      'APP_SESSION_EXPIRED',
      'APP_SESSION_REVOKED',
      'APP_SESSION_NOT_FOUND',
      'APP_QUOTA_EXCEEDED',
      'APP_INVALID_REQUEST',
      'APP_MODEL_NOT_VISION_CAPABLE',
    ],
  }),
  'calls.socket': route('GET', '/api/v1/svc-apps/runtime/calls', {
    auth: 'cookie',
    tag: 'calls',
    summary:
      'Upgrades to the call socket: bodies of the RPC route in text frames, each with the token of its window. It needs a listed Origin.',
    headers: { 'sec-websocket-protocol': 'It offers `svc.calls.1`.' },
    status: 101,
    answer: null,
    errors: ['invalid_arg', 'agent_unavailable'],
  }),
  'calls.events': route('GET', '/api/v1/svc-apps/runtime/events', {
    auth: 'cookie',
    tag: 'calls',
    summary: 'Streams the events of the windows that are named, as unnamed server-sent events of flat JSON.',
    headers: { 'last-event-id': 'Where to go on; a place that is not known answers `reset`.' },
    query: () =>
      z.object({
        windows: z.string().optional().describe('Uuids of windows, joined by commas.'),
        after: z
          .string()
          .optional()
          .describe('As `Last-Event-ID`, which counts where it comes: something on the way may drop it.'),
        streams: z
          .string()
          .optional()
          .describe('Places in streams, `strm_x:17` or `strm_x:17:<window>`, joined by commas.'),
        jobs: z.enum(['0', '1']).default('0').describe('1: also the jobs that belong to no window.'),
        poll: z
          .enum(['0', '1'])
          .default('0')
          .describe('1: ends after a second, for a page that gets nothing before the end of an answer.'),
      }),
    answer: 'text/event-stream',
    errors: [],
  }),
}
