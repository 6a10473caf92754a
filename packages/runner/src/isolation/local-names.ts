import { lookup } from 'node:dns/promises'

/**
 * Looks names up as programs of this machine do, its own files included. A look-up cannot be ended: who asks again and again
 * waits for the one that is under way. Rejects where a name is not known.
 */
export function openLocalNames(): (name: string) => Promise<readonly string[]> {
  const asked = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const asking = asked.get(name) ?? addressesOf(name).finally(() => asked.delete(name))
    asked.set(name, asking)
    return asking
  }
}

const addressesOf = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)
