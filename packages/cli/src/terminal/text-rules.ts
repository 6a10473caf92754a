import { isSemver } from '@svc/contract/semver'
import { holding, type Rule, textThat } from '@svc/node/options'

/** A whole number as it is typed. */
export const wholeText = (from: number, to: number, unit = ''): Rule =>
  holding(
    `must be a whole number${unit} from ${from} to ${to}`,
    (value) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to,
  )

/** The last port. */
export const PORT_MAX = 65_535

/** A port as it is typed. */
export const portText = wholeText(0, PORT_MAX)

/** A text whose length is bounded. */
export const textUpTo = (chars: number): Rule =>
  textThat(`must have 1 to ${chars} characters`, (text) => text.length <= chars)

/** The version of a release. */
export const versionRule = textThat('must be SemVer such as 1.0.0', isSemver)
