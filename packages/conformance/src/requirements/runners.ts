import { built } from './row.ts'

/** Machines that users enrol, and their links. */
export const runners = [
  ...built('docs/reference/limits.md', {
    'runner.enrol.cap': 'A user enrols a bounded number of machines, however many ask at once.',
  }),
  ...built('0054-who-is-on-the-machine', {
    'runner.token.environment':
      'svc runner takes its token out of its environment, as the system shows it, before anything else is started.',
  }),
  ...built('0046-the-command-line', {
    'runner.output': 'svc runner goes on when whoever read its lines has gone.',
  }),
  ...built('0048-runners-of-users', {
    'runner.token.hashed': 'The token of a machine is told once, and the host keeps its digest alone.',
    'runner.token.alone':
      'A link is let in by its token alone: no cookie and no Origin count, and a wrong one is 401.',
  }),
  ...built('docs/guides/runners.md', {
    'runner.revoke.at_once':
      'Revoking a machine ends its link and what runs on it at once, and its token opens nothing.',
    'runner.own': 'A machine of another user is neither listed, revoked nor used.',
  }),
  ...built('0062-installs-are-sealed', {
    'install.sealed':
      'An install is looked at before each start; one that is not as it was made is not started, and is made anew.',
  }),
  ...built('0067-what-a-machine-allows', {
    'runner.allow':
      'A machine installs, describes and starts the plugins of its user, and of others those that were allowed on it; others are refused with a hint that names these terms.',
  }),
  ...built('0119-questions-in-the-terminal', {
    'runner.allow.asked':
      'svc runner asks a person at its terminal about a plugin of another: once, always (at these terms) or never (every version); without one, or once it has ended, it refuses.',
    'runner.allow.told':
      'svc runner says once of each plugin of another what runs, whose it is, what it reaches, and whether behind walls.',
  }),
  ...built('docs/guides/runners.md', {
    'runner.unwalled':
      'A runner warns once of each version of a published plugin that it starts without walls.',
  }),
  ...built('0101-messages-of-a-link', {
    'runner.command': 'A machine is told distributions and never commands.',
  }),
  ...built('0048-runners-of-users', {
    'link.serves': 'What runs in the process of the host runs over a link with the same outcomes.',
    'link.lost': 'Calls and jobs of a link that is lost end agent_unavailable, retriable, within 5 s.',
    'link.silent': 'A link on which nothing is heard for 3 s is lost; any byte is a sign of life.',
    'link.orphans':
      'Of a lost link no process stays on the machine, grandchildren included, before the next one serves.',
  }),
  ...built('0101-messages-of-a-link', {
    'link.outcome.read':
      'An outcome that has come counts, whatever happens while it is read; one that cannot be read is a failure.',
  }),
  ...built('0048-runners-of-users', {
    'link.once': 'What was sent to a machine is never started twice.',
    'link.back': 'A machine connects again by itself, and the next call works.',
    'link.backoff': 'The pauses between its tries double up to a bound, and are spread.',
    'link.gives_up': 'It gives up where its token is unknown, revoked or used elsewhere, and says so.',
  }),
  ...built('0061-a-machine-has-a-key', {
    'link.key':
      'The first key that comes with a token is the one of its machine: a token without it lets nobody in and displaces nobody.',
    'link.key.proof':
      'A machine proves its key by signing the challenge of this link, for the name by which it reaches the host.',
    'link.token.rotates':
      'Each link brings another token; the one that was shown is good until the machine has stored it, and none after that.',
    'link.token.kept':
      'A machine loses nothing by a cut, a crash or a full disk at any moment between a token and the next.',
  }),
  ...built('0116-the-state-of-a-machine', {
    'link.state':
      'The key and the token of a machine are in files of its user alone, and the key never leaves it.',
  }),
  ...built('0048-runners-of-users', {
    'link.version': 'A machine of another version is refused with a sentence.',
  }),
  ...built('0101-messages-of-a-link', {
    'link.tls': 'A token goes over TLS or stays on loopback.',
  }),
  ...built('0048-runners-of-users', {
    'link.epoch':
      'Of two connections with one token the later alone is live; what the other says has no effect.',
  }),
  ...built('0101-messages-of-a-link', {
    'link.deadline': 'A machine that lives and does not answer holds no call past its deadline.',
    'link.cancel': 'A call that is given up is cancelled on its machine.',
  }),
  ...built('0040-what-plugins-ask', {
    'link.asks': 'A plugin on a machine asks the host within its calls, up to the same bounds.',
  }),
  ...built('0101-messages-of-a-link', {
    'link.parts': 'A message of any length arrives whole and once, whatever travels beside it.',
    'link.turns': 'A long message holds up no small one, nor small ones it.',
    'link.window': 'What is on the way to a reader is bounded.',
    'link.caps': 'A message over the caps of a link is not sent.',
    'link.unwanted': 'What nobody asked for, or is longer than was asked for, is let go and not held.',
    'link.held': 'What a machine sends or leaves unread takes a bounded part of the memory of its host.',
    'link.malformed': 'What no honest machine sends ends its link and nothing else.',
    'link.forged': 'An outcome of the wrong shape or size is plug_unavailable for that call alone.',
  }),
  ...built('0142-machines-linked-to-other-hosts', {
    'machine.elsewhere.serves':
      'What any host asks of a machine that is linked to another comes to the same outcome as there.',
    'machine.elsewhere.known':
      'Every host lists the machines of a user as they are, whichever host has them, and revokes them.',
    'machine.elsewhere.asks':
      'The requests of a plugin during a relayed call are answered by the host that made the call.',
    'machine.elsewhere.caps': 'What bounds a machine is judged at the host that has its link, for all hosts.',
    'machine.elsewhere.moved':
      'Of two hosts that believe to have a machine the one with the later link has it; what the other had under way ends agent_unavailable, retriable.',
    'machine.elsewhere.host_gone':
      'A host that is gone holds no machine: what waits for it ends at once, and what comes is refused at once.',
    'machine.elsewhere.once': 'A relayed call ends once, and nothing that it asks for is started twice.',
    'machine.elsewhere.jobs':
      'A job that any host accepts for a machine is run by the host that has its link, and any host shows and cancels it.',
  }),
  ...built('0048-runners-of-users', {
    'link.leaving': 'A host that closes lets the calls under way end, and its machines connect again.',
  }),
] as const
