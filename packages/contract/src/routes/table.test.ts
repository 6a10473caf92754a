import { describe, expect, it } from 'vitest'
import { errors } from '../errors/errors.ts'
import { errorsOf, routeRows } from './index.ts'

const rows = routeRows()

describe.each(rows)('%s', (_name, row) => {
  const inPath = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name]) => name)

  it('says what each parameter of its path is', () => {
    expect(Object.keys(row.params ?? {}).sort()).toEqual(inPath.sort())
  })

  it('reads a body only where its method has one', () => {
    const hasBody = row.body !== undefined || row.bodyTypes !== undefined
    expect(hasBody && ['GET', 'DELETE', 'OPTIONS'].includes(row.method)).toBe(false)
  })

  it('names each code once, and only those of the table', () => {
    const codes = errorsOf(row)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.filter((code) => !Object.hasOwn(errors, code))).toEqual([])
    expect(new Set(row.errors).size).toBe(row.errors.length)
  })
})

describe('the route table', () => {
  it('has each method and path once', () => {
    const places = rows.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
  })

  it.each([
    ['windows.list', ['invalid_token']],
    ['windows.renew', ['not_found', 'invalid_token', 'invalid_arg']],
    ['health.live', []],
  ])('knows what %s can answer, beside what each route can', (name, codes) => {
    const everywhere = ['permission_denied', 'rate_limited', 'storage_unavailable', 'internal_error']
    const row = rows.find(([one]) => one === name)?.[1]
    expect(row && errorsOf(row)).toEqual([...codes, ...everywhere])
  })
})
