import { expect, it } from 'vitest'
import { writtenSecrets } from '../project/written-secrets.ts'
import { fileHints } from './file-hints.ts'

/** Made of pieces, so that no scanner takes this file for a leak. */
const a = (chars: number) => 'aB3dE5gH7j'.repeat(20).slice(0, chars)

it.each([
  ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----`],
  ['a private key', `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----`],
  ['a private key', `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----`],
  ['a key of a model server', `sk-${a(48)}`],
  ['a key of a model server', `sk-proj-${a(60)}`],
  ['a key of a model server', `sk-ant-api03-${a(80)}`],
  ['a key of a model server', `gsk_${a(52)}`],
  ['a key of a model server', `hf_${a(34)}`],
  ['a token of GitHub', `ghp_${a(36)}`],
  ['a token of GitHub', `gho_${a(36)}`],
  ['a token of GitHub', `github_pat_${a(82)}`],
  ['a token of GitLab', `glpat-${a(20)}`],
  ['a key of AWS', `AKIA${'Q3EGRVZ5W7XKJ2TB'}`],
  ['a key of AWS', `ASIA${'Q3EGRVZ5W7XKJ2TB'}`],
  ['a key of Google', `AIza${a(35)}`],
  ['a token of Slack', `xoxb-${'1'.repeat(12)}-${a(24)}`],
  ['a key of Stripe', `sk_live_${a(24)}`],
  ['a token of npm', `npm_${a(36)}`],
  ['a token of npm', `//registry.npmjs.org/:_authToken=${a(36)}`],
  ['a token of PyPI', `pypi-AgEIcHlwaS5vcmc${a(60)}`],
  ['a key of SendGrid', `SG.${a(22)}.${a(43)}`],
  ['a token of a bot of Telegram', `123456789:AA${a(33)}`],
  ['a token of a machine of svc', `svcr_${a(40)}`],
  ['a password in a URL', `postgres://svc:${a(12)}@db.site.org/svc`],
  ['a password in a URL', `mongodb+srv://u:${a(8)}@cluster.net`],
])('finds %s in %#', (name, secret) => {
  const [found] = writtenSecrets(Buffer.from(`const a = 1\r\nconst key = "${secret}"\n`))
  expect(found).toEqual({ line: 2, what: expect.stringContaining(`${name} (`) })
  expect(found?.what).not.toContain(secret.slice(0, 12))
})

it.each([
  '.sk-folding-cube-of-the-spinner { color: red }',
  'const task = "ask-me-anything-about-this-task-1"',
  'postgres://localhost/svc',
  'https://user@site.org/',
  '-----BEGIN PUBLIC KEY-----',
  `sha512-${a(80)}==`,
])('finds nothing in %s', (text) => {
  expect(writtenSecrets(Buffer.from(text))).toEqual([])
})

it('looks at text alone', () => {
  expect(writtenSecrets(Buffer.from(`\0sk-${a(48)}`))).toEqual([])
})

it('says what is left out, what no browser needs, and where a secret is, never whole', () => {
  const key = `ghp_${a(36)}`
  const files = new Map([
    ['main.js', Buffer.from(`\nfetch("x", { headers: { authorization: "${key}" } })`)],
    ['main.ts', Buffer.from('')],
    ['package.json', Buffer.from('{}')],
  ])
  const found = fileHints({ files, leftOut: new Map([['why', ['.env', '.npmrc']]]) })
  expect(found.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
    'files ".env", ".npmrc" are left out: why',
    'files "main.ts", "package.json" are pushed, though no browser needs such files',
    'main.js:2 has what looks like a token of GitHub (ghp_…, 40 characters)',
  ])
})
