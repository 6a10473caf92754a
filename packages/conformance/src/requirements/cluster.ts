import { built } from './row.ts'

/** State that several hosts share. */
export const cluster = [
  ...built('0141-a-bus-on-redis', {
    'cluster.bus.once':
      'An append to Redis whose answer was lost is sent again, stands once and is told ok, though others appended after it.',
    'cluster.bus.cut':
      'While connections to Redis are cut, no item is lost after its acknowledgement, none stands twice, and followers read each once and in order.',
    'cluster.bus.signed':
      'A message on a topic that no host with the secret signed, or that came before, is dropped and told once.',
    'cluster.bus.wake':
      'A follower is woken by what other hosts append, and told when they drop its journal.',
    'cluster.bus.epoch':
      'A Redis that was started again, that came back empty or that is another master gives another epoch, and followers get a reset.',
    'cluster.bus.unavailable':
      'A call that Redis refuses, or does not answer within its bound, fails as unavailable with a sentence that names the cause.',
    'cluster.bus.full':
      'A Redis whose memory is full takes no items, and is read, trimmed and dropped all the same.',
  }),
  ...built('0210-no-promise-without-an-owner', {
    'cluster.start.away':
      'A host whose state goes away before it has said what it serves lives on, and says it once the state is back.',
  }),
]
