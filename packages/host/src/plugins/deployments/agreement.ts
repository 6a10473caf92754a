import {
  distributionText,
  type Grants,
  needsSentence,
  type PlugConsent,
  type PlugTerms,
  type Publisher,
  reachSentence,
} from '@svc/contract'
import { termsDigest } from '@svc/contract/digest'
import type { Deployable } from './plugin-state.ts'
import type { KnownPlugin, MissingConsent } from './plugins.ts'

/** What a user has agreed to and refused. */
export interface UserConsent {
  /** The grants of the app's install; left out: it has none. */
  readonly grants?: Pick<Grants, 'plugs' | 'plugs_never'> | undefined
  /** The digests of terms that the user agreed to for one window, or for one job. */
  readonly once?: readonly string[] | undefined
}

/** What the content of a plugin says of its terms: all but who its author is to others. */
type ContentTerms = Omit<PlugTerms, 'publisher'>

const made = new WeakMap<Deployable, ContentTerms>()

/** What a user agrees to of a plugin. The digest is another when author, version, distribution or reach is. */
export function termsOf(content: Deployable): ContentTerms {
  const known = made.get(content)
  if (known) return known
  const { tool_id, owner, reach, spec } = content
  const { version, distribution } = spec
  const digest = termsDigest({ tool_id, owner, version, distribution, reach })
  const words = {
    distribution: distributionText(distribution),
    needs: needsSentence({ ...distribution, reach }),
    reach: reachSentence(reach),
  }
  const terms = { author: owner, version, ...words, digest }
  made.set(content, terms)
  return terms
}

/**
 * The one check of whether a published plugin may come onto a machine of a user: the own needs no agreement, that of
 * another the user's, to just these terms. What the operator configured never comes here.
 */
export function consentTo(
  content: Deployable,
  userId: string,
  { grants, once }: UserConsent,
): PlugConsent | 'once' {
  const { tool_id, owner } = content
  if (owner === userId) return 'none'
  if (grants?.plugs_never?.includes(tool_id)) return 'never'
  const { digest } = termsOf(content)
  if (grants?.plugs?.some((one) => one.tool_id === tool_id && one.digest === digest)) return 'agreed'
  return once?.includes(digest) ? 'once' : 'asked'
}

const problems = {
  asked: 'you have not agreed to run it; you are asked when it is first called',
  never: 'you chose that it may never run; change this under Manage, Apps',
} as const satisfies Record<MissingConsent['consent'], string>

/** The state of a plugin that its user has not agreed to: no runner is asked about it. */
export const unagreed = (
  content: Deployable,
  consent: MissingConsent['consent'],
  publisher: Publisher,
): Pick<KnownPlugin, 'status' | 'problem' | 'link' | 'unagreed'> => ({
  status: 'unavailable',
  problem: problems[consent],
  link: null,
  unagreed: { consent, terms: { ...termsOf(content), publisher } },
})
