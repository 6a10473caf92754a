import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { type MachineLinkParts, machineLink } from './machine-link.ts'

it('ends, and does not reject, where no connection can be begun', async () => {
  const { signal } = new AbortController()
  const address = new URL('ftp://host.example')
  // Nothing else is asked before there is a connection.
  const parts = { address, token: 'svcr_1', limits, signal } as unknown as MachineLinkParts
  const end = await machineLink(parts)
  expect(end).toEqual({ problem: expect.stringMatching(/^the link cannot be opened: .*protocol/) })
})
