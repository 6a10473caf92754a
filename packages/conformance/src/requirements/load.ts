import { built } from './row.ts'

/** What one user or one address may take of a host. */
export const load = [
  ...built('0059-limits-of-load', {
    'load.rate':
      'No user, app or address makes more requests of a class than its rate times the time and its burst.',
    'load.rate.refused':
      'Past a rate a request is refused with 429, Retry-After and retry_after_ms, before its body is read.',
    'load.rate.keys': 'What the limiter remembers is bounded, however many strangers there are.',
    'load.rate.classes': 'Every route and every call is counted in a class of the tables.',
    'load.rate.address':
      'Without a sign-in an address is counted, an IPv6 network of 64 bits as one, and X-Forwarded-For of trusted proxies alone.',
  }),
  ...built('0112-bodies-and-connections', {
    'load.bodies':
      'The bodies of one owner that are being read are bounded in number and bytes, and so are those of all.',
    'load.bodies.slow': 'A request of whose body nothing comes for 10 s is cut off.',
    'load.bodies.frames': 'What came of frames that are not whole counts as bodies that are being read.',
    'load.pace': 'Who takes more than his share over time waits for his turn, and keeps nobody else waiting.',
    'load.pace.bodies':
      'Larger bodies of one owner are read at a rate: past a burst they wait unread, up to 5 s each.',
    'load.pace.refusals':
      'Past a burst an address that is refused for a rate again and again hears so later and later, up to 5 s.',
    'load.pace.thread':
      'Work in another thread has a lower priority than the event loop, where the system has any.',
    'load.connections': 'An address has a bounded number of connections; a trusted proxy has not.',
    'load.streams': 'A user has at most 64 event streams open.',
  }),
  ...built('0113-fair-shares-and-overload', {
    'load.pool.reserve':
      'One user cannot hold every process of a runner: some places are left to those who hold none.',
    'load.pool.share': 'A free process goes to the user who holds the fewest.',
    'load.fair':
      'Whatever a user queues, the first waiting call of a user who holds no place starts with the k-th free place at the latest, where k users wait; jobs of users wait for nobody else.',
    'load.shed':
      'A host that is short of memory or of its event loop refuses the requests of the greediest first, with rate_limited.',
    'load.ready':
      'readyz says that a host is not ready, and why: memory, event loop, store, apps or its end.',
  }),
  ...built('0059-limits-of-load', {
    'load.rate.tokens': 'Who tries tokens is refused before they are judged.',
  }),
  ...built('0213-outages-in-the-log', {
    'load.ready.soon':
      'readyz answers within a second, whatever does not, and the log has one line of an outage and one of its end.',
  }),
] as const
