import { describe, expect, it } from 'vitest'
import { localPath, readBasePath } from './paths.ts'

describe('readBasePath', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['/', ''],
    ['/svc', '/svc'],
    ['/tools/svc-2', '/tools/svc-2'],
    ['/~ada/_svc', '/~ada/_svc'],
    ['/Svc.v1', '/Svc.v1'],
  ])('reads %j as %j', (text, base) => {
    expect(readBasePath(text)).toBe(base)
  })

  it.each([
    ['svc/'],
    ['svc'],
    ['/svc/'],
    ['//'],
    ['//svc'],
    ['/a//b'],
    ['/a/../b'],
    ['/..'],
    ['/.'],
    ['/a b'],
    ['/a?b'],
    ['/a#b'],
    ['/a%2fb'],
    ['/a;b'],
    ["/a'b"],
    ['/ü'],
    ['https://site.org/svc'],
    ['\\svc'],
  ])('refuses %j', (text) => {
    expect(() => readBasePath(text)).toThrow(
      `createHost: basePath must be a path such as /svc: "/" and a name, once or several times, without "/" at the end, got ${JSON.stringify(text)}`,
    )
  })

  it('refuses what is no text', () => {
    expect(() => readBasePath(7 as never)).toThrow('basePath must be a path such as /svc')
  })

  it.each([['/api'], ['/plugs/mine'], ['/healthz']])('refuses %j, a path of the host', (text) => {
    expect(() => readBasePath(text)).toThrow('which is a path of the host itself')
  })
})

describe('localPath', () => {
  it.each([
    ['', '/svc/plugs', '/svc/plugs'],
    ['/svc', '/svc/plugs?limit=1', '/plugs?limit=1'],
    ['/svc', '/plugs', '/plugs'],
    ['/svc', '/svc', '/'],
    ['/svc', '/svc?a', '/?a'],
    ['/svc', '/svc/', '/'],
    ['/svc', '/svcs/plugs', '/svcs/plugs'],
    ['/svc', '/SVC/plugs', '/SVC/plugs'],
    ['/svc', '/svc//plugs', '//plugs'],
    ['/a/b', '/a/b/c', '/c'],
    ['/a/b', '/a/c', '/a/c'],
  ])('under %j takes %j for %j', (base, path, local) => {
    expect(localPath(base, path)).toBe(local)
  })
})
