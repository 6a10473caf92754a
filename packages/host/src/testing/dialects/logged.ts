import type { User } from './dialect.ts'

/** What the call came to, and what the log tells the operator. */
export async function logged(user: User) {
  const told = await user.complete('hi')
  const { said, fix, address } = user.log.find(({ reason }) => reason) ?? {}
  return { ...told, said, fix, address: String(address).replace(/:\d+\//, '/') }
}
