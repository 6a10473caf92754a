import { PassThrough } from 'node:stream'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { type OfferedPlugin, openPluginAnswers } from '@svc/runner'
import { expect, it } from 'vitest'
import { allowRule, readAllow } from './allow-option.ts'
import { terminalAsker } from './ask-plugin.ts'
import { pluginGate } from './plugin-gate.ts'
import { pluginLine } from './plugin-line.ts'

const digest = 'a'.repeat(32)
const offered = (more: Partial<OfferedPlugin> = {}): OfferedPlugin => ({
  id: 'tool-eve-sky',
  version: '1.0.0',
  author: 'eve',
  isOwn: false,
  reach: undefined,
  digest,
  distribution: { type: 'npm', package_name: 'sky', version: '1.0.0' },
  ...more,
})
const another = 'b'.repeat(32)

/** A gate whose answers are in memory; `typed`: what a person types, in order, and `null` where nobody is there. */
async function open(words: readonly string[], typed: string | null = null) {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== null })
  const shown = new PassThrough().setEncoding('utf8')
  const first: string[] = []
  const said: string[] = []
  const ending = new AbortController()
  const allow = pluginGate({
    allowed: readAllow(words),
    answers: await openPluginAnswers({ dir: null, token: 'svcr_1' }),
    ask: terminalAsker(ending.signal, stdin, shown),
    words: (plugin) => pluginLine(plugin, true),
    onFirst: (plugin) => void first.push(pluginLine(plugin, true)),
    say: (text) => void said.push(text),
  })
  if (typed !== null) stdin.write(typed)
  return {
    allow,
    first,
    said,
    ending,
    type: (text: string) => void stdin.write(text),
    end: () => void stdin.end(),
    shown: () => String(shown.read()),
  }
}

verifies.each('runner.allow')<[readonly string[], Partial<OfferedPlugin>, boolean]>([
  [[], {}, false],
  [[], { isOwn: true }, true],
  [['--allow', 'own'], {}, false],
  [['--allow', 'all'], {}, true],
  [['--allow', 'tool-eve-sky'], {}, true],
  [['--allow=tool-eve-sky'], {}, true],
  [['--allow', 'tool-eve-sea,tool-eve-sky'], {}, true],
  [['--allow', 'tool-eve-sea', '--allow', 'tool-eve-sky'], {}, true],
  [['--allow', 'tool-eve-sea'], {}, false],
  [['--allow', `tool-eve-sky@${digest}`], {}, true],
  [['--allow', `tool-eve-sky@${digest}`], { digest: another }, false],
  [['--allow', `tool-eve-sky@${digest}`], { id: `tool-eve-sky@${digest}`, digest: another }, false],
  [['--allow', 'all'], { id: `tool-eve-sky@${digest}` }, false],
])('svc runner %j takes %j: %s', async (words, more, isTaken) => {
  const { allow } = await open(words)
  expect(await allow(offered(more))).toBe(isTaken)
})

verifies('runner.allow', 'tells once of each plugin that it refuses where nobody can be asked', async () => {
  const { allow, said } = await open([])
  for (const more of [{}, {}, { digest: another }]) await allow(offered(more))
  expect(said).toEqual([
    expect.stringMatching(
      new RegExp(
        `^refused plugin tool-eve-sky .* To allow it, start the runner with --allow tool-eve-sky@${digest}$`,
      ),
    ),
    expect.stringContaining(another),
  ])
  for (const n of Array.from({ length: 200 }, (_, n) => n)) await allow(offered({ digest: String(n) }))
  expect(said).toHaveLength(limits.RUNNER_QUESTIONS_MAX)
  const asking = await open([], 'never\n')
  await asking.allow(offered())
  expect(asking.said).toEqual([])
})

verifies.each('runner.allow.asked')<[string, boolean, boolean]>([
  ['once\n', true, false],
  ['always\n', true, false],
  ['yes\nAlways\n', true, false],
  ['never\n', false, false],
])('a person who types %j', async (typed, isTaken, isTakenNext) => {
  const { allow, shown, ending } = await open([], typed)
  expect(await Promise.all([allow(offered()), allow(offered())])).toEqual([isTaken, isTaken])
  expect(await allow(offered())).toBe(isTaken)
  expect(shown().match(/plugin tool-eve-sky/g)).toHaveLength(1)
  // Other terms are another question, which nobody answers any more; never is for each version.
  ending.abort()
  expect(await allow(offered({ digest: another }))).toBe(isTakenNext)
})

verifies('runner.allow.asked', 'who says never is not asked about another version that waits', async () => {
  const { allow, shown } = await open([], 'never\n')
  expect(await Promise.all([allow(offered()), allow(offered({ digest: another }))])).toEqual([false, false])
  expect(shown().match(/plugin tool-eve-sky/g)).toHaveLength(1)
})

verifies('runner.allow.asked', 'who says always of one version is asked about the next', async () => {
  const { allow, shown, type } = await open([], '')
  for (const digest of ['1', '2', '1', '2']) {
    const asked = allow(offered({ digest }))
    type('always\n')
    expect(await asked).toBe(true)
  }
  expect(shown().match(/plugin tool-eve-sky/g)).toHaveLength(2)
})

verifies('runner.allow.asked', 'is refused once the terminal has ended, and nobody waits', async () => {
  const { allow, shown, end } = await open([], '')
  const first = allow(offered())
  end()
  expect(await first).toBe(false)
  expect(await allow(offered())).toBe(false)
  expect(shown().match(/this terminal takes no more answers/g)).toHaveLength(1)
})

verifies('runner.allow.asked', 'has a bounded number of questions open', async () => {
  const { allow, ending } = await open([], '')
  const asked = Array.from({ length: limits.RUNNER_QUESTIONS_MAX }, (_, at) =>
    allow(offered({ digest: String(at) })),
  )
  expect(await allow(offered())).toBe(false)
  ending.abort()
  expect(await Promise.all(asked)).not.toContain(true)
})

verifies('runner.allow.told', 'says once of each plugin of another what runs', async () => {
  const { allow, first } = await open(['--allow', 'all'])
  const reach = { hosts: ['api.sky.org'] }
  for (const more of [{}, {}, { isOwn: true }, { digest: another, version: '1.1.0\u001b[2J\n', reach }])
    await allow(offered(more))
  expect(first).toEqual([
    `plugin tool-eve-sky 1.0.0 by eve (not verified): the npm package sky 1.0.0. It may reach no host and no folder but its own. It runs isolated. Digest: ${digest}.`,
    `plugin tool-eve-sky 1.1.0 by eve (not verified): the npm package sky 1.0.0. It may reach api.sky.org. It runs isolated. Digest: ${another}.`,
  ])
  expect(pluginLine(offered({ distribution: { type: 'binary' } }), false)).toMatch(
    /cannot be read\..* WITHOUT isolation/,
  )
})

it.each(['', 'sky', 'tool-a,,tool-b', `tool-a@${'z'.repeat(32)}`])('takes no --allow %j', (word) => {
  expect(allowRule(word, '--allow')).toMatch(/^--allow\[\d\] must be own, all or ids of plugins, got "/)
})
