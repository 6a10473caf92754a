import { Resolver } from 'node:dns/promises'

/** Looks up every address of a name; none where it has none. It settles soon after `signal` fires. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the name servers of this machine, or those that a test names as `address:port`. Unlike `dns.lookup` it can be
 * given up, occupies none of the few threads that files are read with, and knows neither `/etc/hosts` nor search
 * domains: no name of this machine is public.
 */
export const askNameServers =
  (servers?: readonly string[]): Resolve =>
  async (name, signal) => {
    signal.throwIfAborted()
    const resolver = new Resolver()
    if (servers) resolver.setServers(servers)
    const giveUp = () => resolver.cancel()
    signal.addEventListener('abort', giveUp)
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
