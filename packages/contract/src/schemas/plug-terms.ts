import * as z from '../values/zod.ts'
import { publisher } from './publisher.ts'
import type { Publisher } from './publisher-text.ts'

/** Whether a plugin that an app declares may run: it needs no agreement, has it, is asked about, or was refused. */
export const plugConsents = ['none', 'agreed', 'asked', 'never'] as const
/** What a user may say of a plugin at its first use: in this window alone, always or never. */
export const plugAnswers = ['once', 'always', 'never'] as const

/** Whether a plugin may run. */
export type PlugConsent = (typeof plugConsents)[number]
/** What a user says of a plugin. */
export type PlugAnswer = (typeof plugAnswers)[number]

/** What a user agrees to of a plugin of another. */
export const plugTerms = z.object({
  /** The id of the user who published it. */
  author: z.string(),
  /** The same as a user is shown it; no part of the digest. */
  publisher,
  version: z.string(),
  /** Where it comes from, in words. */
  distribution: z.string(),
  /** What it is started with and what it needs from its user, in sentences; empty: nothing. */
  needs: z.string(),
  /** What it may reach, in a sentence. */
  reach: z.string(),
  /** Equal where the author, the version, the distribution and the reach are. */
  digest: z.string(),
})

/** What a user agrees to of a plugin of another. */
export interface PlugTerms {
  /** The id of the user who published it. */
  readonly author: string
  /** The same as a user is shown it; no part of the digest. */
  readonly publisher: Publisher
  /** The version. */
  readonly version: string
  /** Where it comes from, in words: "the npm package weather-tool 1.2.0". */
  readonly distribution: string
  /** What it is started with and what it needs from its user, in sentences; `''`: nothing. */
  readonly needs: string
  /** What it may reach, in a sentence: `It may reach api.example.com and read "/data".` */
  readonly reach: string
  /** Equal where the author, the version, the distribution and the reach are. */
  readonly digest: string
}
