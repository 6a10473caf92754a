import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { dialects } from './dialects.ts'
import { openUser } from './open-user.ts'

const rows = Object.entries(dialects).flatMap(([about, those]) =>
  those.map((dialect) => [about, dialect.servers, dialect.does, dialect] as const),
)

verifies.each('design.models.dialects')(rows)('%s: %s: %s', async (_about, _servers, _does, dialect) => {
  const { play = (user) => user.say(), gets = { text: 'Hello' }, asked = 1 } = dialect
  await using opened = await openUser(dialect)
  const { user } = opened
  const got = await play(user)
  expect(got).toMatchObject(gets as object)
  expect(user.sent.length).toBe(asked)
})
