import { verifies } from '@svc/conformance/verifies'
import type { Refusal } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import type { VersionRow } from '../../catalog/records.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import { askForConsent, type ConsentContext, checkAgreed, unagreedRefusal } from './agreed.ts'

const terms = {
  author: 'eve',
  publisher: { name: 'eve', verified: false },
  version: '1.2.0',
  distribution: 'the npm package sky',
  needs: '',
  reach: 'It may reach no host and no folder but its own.',
  digest: 'd'.repeat(32),
}
const plugin = (consent?: 'asked' | 'never'): KnownPlugin => ({
  tool_id: 'tool-eve-sky',
  handle: 'sky',
  spec: { id: 'tool-eve-sky', version: '1.2.0', distribution: { type: 'npm', package_name: 'sky' } },
  status: 'unavailable',
  description: null,
  problem: null,
  link: null,
  ...(consent && { unagreed: { consent, terms } }),
})

/** Who calls, and what the page of that user is told. */
function seeker(more: Partial<ConsentContext> = {}) {
  const told: unknown[][] = []
  const asking: ConsentContext = {
    services: { events: { emit: (...event: unknown[]) => void told.push(event) } as never },
    userId: 'ada',
    version: { app_id: 'app_1' } as VersionRow,
    window: { id: 'win_1' },
    ...more,
  }
  return { asking, told }
}

describe('a plugin that its user has not agreed to', () => {
  verifies.each('wall.consent')([
    ['asked', 'you have not agreed to run the plugin "sky" 1.2.0 by', /^Answer the question/],
    ['never', 'you do not let the plugin "sky" 1.2.0 by', /Manage, Apps\.$/],
  ] as const)('(%s) is refused in words of its own', (consent, sentence, hint) => {
    const refusal = unagreedRefusal(plugin(consent)) as Refusal
    expect(refusal.code).toBe('permission_denied')
    expect(refusal.message).toContain(sentence)
    expect(refusal.details).toEqual({
      denied_by: 'grant',
      tool_id: 'tool-eve-sky',
      version: '1.2.0',
      digest: terms.digest,
      consent,
      hint: expect.stringMatching(hint),
      ...(consent === 'asked' && { author_hint: expect.stringContaining('plug_asked') }),
    })
  })

  verifies('wall.consent.asked', 'is asked about in the window that calls it, with its terms', () => {
    const { asking, told } = seeker()
    expect(() => checkAgreed(asking, plugin('asked'))).toThrow('have not agreed')
    const about = { app_id: 'app_1', tool_id: 'tool-eve-sky', name: 'sky', ...terms }
    expect(told).toEqual([['ada', 'plug_asked', 'win_1', about]])
  })

  verifies(
    'wall.consent.asked',
    'is asked about by the name under which it is published, else that which it gives itself',
    () => {
      const { asking, told } = seeker()
      const sky = { ...plugin('asked'), description: { name: 'sky-server', tools: [] } }
      askForConsent(asking, sky)
      askForConsent(asking, { ...sky, name: 'Sky' })
      expect(told.map(([, , , about]) => about)).toMatchObject([{ name: 'sky-server' }, { name: 'Sky' }])
    },
  )

  verifies.each('wall.consent.asked')<[string, 'asked' | 'never', Partial<ConsentContext>]>([
    ['that was refused for good', 'never', {}],
    ['without a window', 'asked', { window: null }],
    ['without an app', 'asked', { version: null }],
  ])('%s is refused without a question', (_name, consent, more) => {
    const { asking, told } = seeker(more)
    expect(() => checkAgreed(asking, plugin(consent))).toThrow(/^you (have not agreed|do not let)/)
    expect(told).toEqual([])
  })
})

it('lets a plugin through that needs no word', () => {
  const { asking, told } = seeker()
  expect(unagreedRefusal(plugin())).toBeNull()
  askForConsent(asking, plugin())
  expect(checkAgreed(asking, plugin())).toBeUndefined()
  expect(told).toEqual([])
})
