const MODEL_KEY = 'a key of a model server'

/** What keys and tokens look like, by what makes each of them. */
const kinds: readonly (readonly [name: string, looks: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|AGE-SECRET-KEY-1[\dA-Z]{50}/g],
  [MODEL_KEY, /\bsk-[\w-]{20,200}|\b(?:gsk|xai|pplx|r8|hf)[-_][A-Za-z\d]{30,100}/g],
  ['a token of GitHub', /\bgh[opsur]_[A-Za-z\d]{36,255}|\bgithub_pat_\w{22,255}/g],
  ['a token of GitLab', /\bgl(?:pat|dt|rt|ptt|agent|oas)-[\w-]{20,100}/g],
  ['a key of AWS', /\b(?:AKIA|ASIA|ABIA|ACCA)[\dA-Z]{16}\b/g],
  ['a key of Google', /\bAIza[\w-]{35}|\bGOCSPX-[\w-]{28}|\bya29\.[\w-]{20,300}/g],
  ['a key of Azure', /\bAccountKey=[A-Za-z\d+/]{86}==/g],
  ['a token of Slack', /\bxox[a-z]-[\w-]{10,200}|\bhooks\.slack\.com\/services\/[\w/]{20,80}/g],
  ['a webhook of Discord', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{20,100}/g],
  ['a token of a bot of Telegram', /\b\d{8,10}:AA[\w-]{33}\b/g],
  ['a key of Stripe', /\b(?:sk|rk)_(?:live|test)_[A-Za-z\d]{16,200}|\bwhsec_[A-Za-z\d]{24,100}/g],
  ['a token of npm', /\bnpm_[A-Za-z\d]{36}\b|:_authToken=[\w-]{20,200}/g],
  ['a token of PyPI', /\bpypi-AgE[\w-]{50,300}/g],
  ['a key of SendGrid', /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/g],
  ['a key of Twilio', /\bSK[\da-f]{32}\b/g],
  [
    'a token of a service',
    /\b(?:glsa|lin_api|shpat|shpss|sntrys|sbp|dop_v1|doo_v1|dp\.pt|dapi|PMAK|ATATT3x|vercel)[._-]?[\w.=-]{24,300}/g,
  ],
  ['a token of a machine of svc', /\bsvcr_[\w-]{20,200}/g],
  [
    'a password in a URL',
    /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[^\s:/@'"`]{1,100}:[^\s@/'"`${}]{3,100}@/g,
  ],
]

/** So many characters of a secret are shown. */
const SHOWN_CHARS = 4
/** So many are named of one file. */
const SHOWN_SECRETS = 10
const BINARY_LOOK_BYTES = 8_192

/** What looks like a secret in a file, each with its line; none in a file that is not text. */
export function writtenSecrets(bytes: Buffer): { readonly line: number; readonly what: string }[] {
  if (bytes.subarray(0, BINARY_LOOK_BYTES).includes(0)) return []
  const text = bytes.toString('latin1')
  return (
    kinds
      .flatMap(([name, looks]) =>
        [...text.matchAll(looks)].map((match) => ({ name, found: match[0], at: match.index })),
      )
      // A class of CSS may look like a key, but for its digits.
      .filter(({ name, found }) => name !== MODEL_KEY || /\d/.test(found))
      .slice(0, SHOWN_SECRETS)
      .map(({ name, found, at }) => ({
        line: text.slice(0, at).split('\n').length,
        what: `${name} (${found.slice(0, SHOWN_CHARS)}…, ${found.length} characters)`,
      }))
  )
}
