import { address, port, url } from './common.ts'
import { all, object, type Rule, type Rules, textThat, whole } from './rules.ts'

/** Addresses that a server listens on for every address of its machine: none by which others reach it. */
const everyAddress: ReadonlySet<unknown> = new Set(['0.0.0.0', '::'])

/** Where several hosts keep what they share: the same for a config file and for `openCluster`. */
export const serverRules = {
  postgres: url('postgres://svc:PASSWORD@db.site.org:5432/svc', 'postgres:', 'postgresql:'),
  redis: url('redis://:PASSWORD@redis.site.org:6379', 'redis:', 'rediss:'),
  name: textThat(
    'must be 1 to 41 of a to z, 0 to 9 and _, and not begin with a digit',
    /^[a-z_][a-z0-9_]{0,40}$/,
  ),
  peers: all(object({ address, port, url: url('http://10.0.0.5:8788', 'http:') }), (peers, name) => {
    const { address, url } = peers as { readonly address?: unknown; readonly url?: unknown }
    return everyAddress.has(address) && url === undefined
      ? `${name}.url must say where the others reach this host: it listens on ${address}`
      : null
  }),
  connections: whole(1, 1_000),
} satisfies Rules

/** The servers of a config file. */
export const serversRule: Rule = object(serverRules, 'postgres', 'redis')
