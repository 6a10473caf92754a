import { readFileSync } from 'node:fs'
import { requirements } from '@svc/conformance/requirements'
import { describe, expect, it } from 'vitest'
import { appChecks, checksOf } from './check-app.ts'

const ids: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))
const guide = readFileSync(new URL('../../../../docs/guides/checking-apps.md', import.meta.url), 'utf8')

it.each(appChecks.map((check) => [check.id, check] as const))(
  'proves a requirement, and the guide has it: %s',
  (id, { name, hint }) => {
    expect(ids).toContain(id)
    expect(hint).toMatch(/\S/)
    expect(guide).toContain(`| \`${id}\` | ${name} |`)
  },
)

describe('which are tried', () => {
  it('are those that are named, in their order', () => {
    expect(checksOf(['app.dark', 'app.start']).map(({ id }) => id)).toEqual(['app.start', 'app.dark'])
    expect(checksOf(undefined)).toBe(appChecks)
  })

  it('names those that there are for one that is none', () => {
    expect(() => checksOf(['app.drak'])).toThrow('no check proves "app.drak"')
  })
})
