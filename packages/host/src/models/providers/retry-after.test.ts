import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { retryAfter } from './retry-after.ts'

const NOW = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT')

verifies.each('decision.model.retry_after')([
  [{ 'retry-after': '20' }, 20_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': ' 3 ' }, 3_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
  [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
  [
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-remaining-tokens': '900',
      'x-ratelimit-reset-tokens': '1h',
    },
    120,
  ],
  [{ 'x-ratelimit-reset': '1784106577000', 'x-ratelimit-remaining': '0' }, 1_784_106_577_000 - NOW],
  [{ 'anthropic-ratelimit-tokens-reset': '1994-11-06T08:49:47Z' }, 10_000],
  [{ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '9' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '-1' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after-ms': 'x' }, null],
  [{}, null],
] as [Record<string, string>, number | null][])('%j waits %j ms', (headers, ms) => {
  expect(retryAfter((name) => headers[name], NOW)).toBe(ms)
})
