import { verifies } from '@svc/conformance/verifies'
import { pino } from 'pino'
import { describe, expect } from 'vitest'
import { installedDraft, testServices } from '../../testing/services.ts'
import { openReportLog, readReports } from './report-log.ts'

const PAGE = 'http://127.0.0.1:8787'
const SECRET = 'http://evil.example/path?pin=1234#more'

/** A report as `report-uri` sends it. */
const old = (document: string, directive: string, blocked: string) =>
  JSON.stringify({
    'csp-report': {
      'document-uri': document,
      'effective-directive': directive,
      'blocked-uri': blocked,
      'original-policy': 'x',
    },
  })
/** The same as the Reporting API sends it. */
const newer = (documentURL: string, effectiveDirective: string, blockedURL: string) =>
  JSON.stringify([
    {
      type: 'csp-violation',
      url: documentURL,
      age: 1,
      body: { documentURL, effectiveDirective, blockedURL },
    },
  ])

async function opened() {
  const services = testServices()
  const { app_id } = await installedDraft(services)
  const { window_uuid, entry_url } = await services.windows.open('ada', { app_id })
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { clock, limits, metrics, tickets, copies } = services
  const reports = openReportLog({ clock, limits, log, metrics, tickets, copies })
  const take = async (body: string) => {
    for (const report of readReports(body, limits.BROWSER_REPORTS_PER_BODY) ?? []) await reports.take(report)
  }
  return { services, app_id, window_uuid, document: new URL(entry_url, PAGE).href, lines, take }
}

describe('a report of a browser', () => {
  verifies.each('wall.reports')([
    ['by report-uri', old],
    ['by the Reporting API', newer],
  ])('%s is a line with the window and the origin, and no ticket, path or query', async (_, form) => {
    const { app_id, window_uuid, document, lines, take, services } = await opened()
    await take(form(document, 'connect-src', SECRET))
    expect(lines).toEqual([
      expect.objectContaining({
        window: window_uuid,
        app: app_id,
        user: 'ada',
        kind: 'csp-violation',
        directive: 'connect-src',
        blocked: 'http://evil.example',
      }),
    ])
    expect(JSON.stringify(lines)).not.toMatch(/pin|path|window=/)
    expect(await (await services.metrics.registry()).metrics()).toContain(
      'svc_browser_reports_total{kind="csp-violation"} 1',
    )
  })

  verifies.each('wall.reports')([
    ['a forged ticket', 'script-src', 'inline', { directive: 'script-src', blocked: 'inline' }],
    ['a data URL', 'img-src', 'data:text/plain,pin', { directive: 'img-src', blocked: 'data:' }],
    ['rubbish', 'pin 1234', 'pin 1234', { directive: 'pin', blocked: 'other' }],
    ['more rubbish', '1234', '', { directive: 'other', blocked: '' }],
  ])('%s tells of no window, and no text of its own', async (_, directive, blocked, said) => {
    const { document, lines, take } = await opened()
    await take(old(`${document}x`, directive, blocked))
    expect(lines).toEqual([expect.objectContaining(said)])
    expect(lines[0]).not.toHaveProperty('window')
  })

  verifies.each('wall.reports')([
    [
      'permissions-policy-violation',
      { policyId: 'geolocation' },
      'geolocation',
      'a browser reported a policy violation',
    ],
    ['deprecation', { id: 'UnloadHandler' }, 'UnloadHandler', 'a browser reported a deprecated feature'],
    [
      'intervention',
      { id: 'HeavyAdIntervention' },
      'HeavyAdIntervention',
      'a browser reported an intervention on a page',
    ],
    ['crash', { reason: 'oom' }, 'oom', 'a browser reported a page that crashed'],
    ['crash', {}, 'other', 'a browser reported a page that crashed'],
    ['coop', { disposition: 'enforce' }, 'other', 'a browser reported a policy violation'],
    ['made up', { id: 'pin 1234\n{}' }, 'other', 'a browser reported a page'],
  ])('of the kind %s with %o is a line that names it', async (type, body, directive, msg) => {
    const { lines, take } = await opened()
    await take(JSON.stringify([{ type, url: `${PAGE}/?pin=1`, body: { ...body, message: 'pin' } }]))
    const kind = type === 'made up' ? 'other' : type
    expect(lines).toEqual([expect.objectContaining({ kind, directive, blocked: '', msg })])
    expect(JSON.stringify(lines)).not.toMatch(/pin|http/)
  })

  verifies('wall.reports', 'of a stranger pushes out none that names a window', async () => {
    const { services, window_uuid, document, lines, take } = await opened()
    const { BROWSER_REPORTS_LOGGED_PER_MINUTE: max, BROWSER_REPORTS_PER_BODY: atOnce } = services.limits
    const stranger = { type: 'crash', url: `${PAGE}/`, body: {} }
    await take(JSON.stringify(Array.from({ length: atOnce * 5 }, () => stranger)))
    expect(lines).toHaveLength(atOnce)
    await take(JSON.stringify(Array.from({ length: atOnce }, () => stranger)))
    expect(lines).toHaveLength(max + 1)
    await take(old(document, 'img-src', SECRET))
    expect(lines.at(-1)).toMatchObject({ window: window_uuid, directive: 'img-src' })
  })

  verifies('wall.reports', 'of one window pushes out none of another', async () => {
    const { services, app_id, window_uuid, document, lines, take } = await opened()
    const { BROWSER_REPORTS_LOGGED_PER_MINUTE: max, BROWSER_REPORTS_LOGGED_PER_WINDOW: own } = services.limits
    const other = await services.windows.open('ada', { app_id })
    for (let at = 0; at < max + 50; at += 1) await take(old(document, 'img-src', SECRET))
    expect(lines).toHaveLength(own + 1)
    expect(lines.at(-1)).toMatchObject({
      max: own,
      of: 'window',
      window: window_uuid,
      msg: 'browsers sent more reports than the log takes in a minute',
    })
    await take(old(new URL(other.entry_url, PAGE).href, 'img-src', SECRET))
    expect(lines.at(-1)).toMatchObject({ window: other.window_uuid, directive: 'img-src' })
    await services.clock.advance(60_000)
    await take(old(document, 'img-src', SECRET))
    expect(lines).toHaveLength(own + 3)
  })

  verifies('wall.reports', 'is logged so many times a minute, and one line tells of the rest', async () => {
    const { services, app_id, lines, take } = await opened()
    const { BROWSER_REPORTS_LOGGED_PER_MINUTE: max, BROWSER_REPORTS_LOGGED_PER_WINDOW: own } = services.limits
    for (let window = 0; window <= max / own; window += 1) {
      const { entry_url } = await services.windows.open('ada', { app_id })
      for (let at = 0; at < own; at += 1) await take(old(new URL(entry_url, PAGE).href, 'img-src', SECRET))
    }
    expect(lines).toHaveLength(max + 1)
    expect(lines.at(-1)).toMatchObject({ max, of: 'windows' })
  })
})
