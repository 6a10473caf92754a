import { expect, it } from 'vitest'
import { judgeProxies } from './inspect-deployment.ts'
import { sayFindings } from './say-findings.ts'

it.each<[Parameters<typeof judgeProxies>[0], string | undefined]>([
  [{}, undefined],
  [{ origins: ['https://apps.site.org'] }, undefined],
  [{ address: '0.0.0.0', origins: ['http://localhost:80'] }, undefined],
  [{ address: '0.0.0.0', origins: ['https://apps.site.org'], trustedProxies: ['10.0.0.2'] }, undefined],
  [
    { address: '0.0.0.0', origins: ['https://apps.site.org'] },
    'the host listens on 0.0.0.0, and trustedProxies names no proxy but this machine',
  ],
  [{ trustedProxies: ['::1', '0.0.0.0/0'] }, 'trustedProxies has 0.0.0.0/0, which is everybody'],
  [{ trustedProxies: ['::/0'] }, 'trustedProxies has ::/0, which is everybody'],
])('of %j it says %s', (config, what) => {
  expect(judgeProxies(config)[0]?.what).toBe(what)
})

it('says the worst first', () => {
  const texts = { what: 'it is so', why: 'It matters.', change: 'Change it.' }
  const lines = sayFindings([
    { id: 'a', severity: 'hinders', ...texts },
    { id: 'b', severity: 'loses', ...texts },
    { id: 'c', severity: 'fails', ...texts },
  ])
  expect(lines.filter((_, at) => at % 3 === 0)).toEqual([
    '  ✗ LOSES DATA: it is so  (b)',
    '  ✗ FAILS: it is so  (c)',
    '  ! hinders: it is so  (a)',
  ])
  expect(lines.slice(1, 3)).toEqual(['      It matters.', '      → Change it.'])
})
