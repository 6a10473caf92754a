import { built } from './row.ts'

/** Several hosts behind a load balancer that sends each request to another one. */
export const hosts = [
  ...built('0143-what-a-host-keeps-for-itself', {
    'hosts.sign_in': 'A sign-in is good at every host, and void at every host once it has ended.',
    'hosts.windows': 'What a host writes about a window, every other host reads at once.',
    'hosts.rights': 'A push, a grant and an uninstall hold at every host at once.',
    'hosts.calls_end': 'A window that is closed at one host ends its calls at the others.',
    'hosts.data': 'Values, files and uploads go from any host to any other, and one of two writers wins.',
    'hosts.events': 'A page hears what happens at any host, and goes on at another without loss.',
    'hosts.runs': 'A run is read, joined, repeated and cancelled through any host.',
    'hosts.jobs': 'A job is read, listed and cancelled through any host.',
    'hosts.approvals': 'A yes given at one host lets the calls that wait at others go on.',
    'hosts.subcalls': 'A sampling token, and the sessions of a plugin, are good at every host.',
    'hosts.publishing': 'What is published at one host is found, used and frozen at the others.',
    'hosts.caps': 'Caps and quotas of a user hold over all hosts together.',
    'hosts.lists': 'The audit log and the lists of pages go on at another host.',
    'hosts.page':
      'A page of which each request goes to another host calls, streams, uploads and hears events as with one.',
    'hosts.configured': 'Hosts that start together with the same apps share one record of each.',
  }),
  ...built('0144-how-a-host-leaves', {
    'leave.ready':
      'A host that begins to close says so on /readyz at once, and still listens for LEAVE_NOTICE_MS.',
    'leave.work': 'A closing host starts no new work; its refusal says that nothing has begun.',
    'leave.calls':
      'The page sends again what a closing host did not begin, whatever it does, and nothing else.',
    'leave.events': 'Event streams of a closing host end, and their pages go on elsewhere at once.',
    'leave.restart':
      'While hosts are restarted one after the other, no call of a page fails that has not begun.',
  }),
] as const
