/** SemVer 2.0.0, as semver.org writes it down. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/
const DIGITS = /^\d+$/

/** Whether a text is a version such as `1.0.0` or `2.0.0-beta.1`. */
export const isSemver = (text: string): boolean => SEMVER.test(text)

interface Parts {
  readonly core: readonly bigint[]
  readonly pre: readonly string[]
}

function partsOf(version: string): Parts {
  const [, major = '0', minor = '0', patch = '0', pre = ''] = SEMVER.exec(version) ?? []
  return { core: [major, minor, patch].map(BigInt), pre: pre === '' ? [] : pre.split('.') }
}

const order = (a: bigint | string, b: bigint | string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Numbers come before words; numbers by value, words by their characters. */
function orderPre(a: string, b: string): number {
  const [aNumber, bNumber] = [DIGITS.test(a), DIGITS.test(b)]
  if (aNumber && bNumber) return order(BigInt(a), BigInt(b))
  if (aNumber !== bNumber) return aNumber ? -1 : 1
  return order(a, b)
}

/** Below 0 when `a` comes before `b`, 0 when they have the same precedence (semver.org §11: build data counts nothing). */
export function compareSemver(a: string, b: string): number {
  const [one, two] = [partsOf(a), partsOf(b)]
  for (const [at, part] of one.core.entries()) {
    const found = order(part, two.core[at] ?? 0n)
    if (found !== 0) return found
  }
  if (one.pre.length === 0 || two.pre.length === 0) return two.pre.length - one.pre.length
  for (const [at, part] of one.pre.entries()) {
    const other = two.pre[at]
    if (other === undefined) return 1
    const found = orderPre(part, other)
    if (found !== 0) return found
  }
  return one.pre.length - two.pre.length
}

/** The next patch: of `1.2.3` it is `1.2.4`, of the pre-release `1.2.3-beta` the `1.2.3` that it leads to. */
export function bumpPatch(version: string): string {
  const { core, pre } = partsOf(version)
  const [major = 0n, minor = 0n, patch = 0n] = core
  return `${major}.${minor}.${pre.length > 0 ? patch : patch + 1n}`
}
