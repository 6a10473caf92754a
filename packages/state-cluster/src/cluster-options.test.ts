import { expect, it } from 'vitest'
import { openCluster } from './index.ts'

const servers = { postgres: 'postgres://u:hidden@h/svc', redis: 'redis://:hidden@h' }

it.each([
  [{ postgres: 'host=h password=hidden' }, 'postgres must be a URL such as'],
  [{ redis: undefined }, 'redis must be a URL such as redis://:PASSWORD@redis.site.org:6379, got nothing'],
  [{ redis: 'h:6379' }, 'got "h:6379"'],
  [{ name: 'Svc' }, 'name must be 1 to 41 of a to z, 0 to 9 and _, and not begin with a digit, got "Svc"'],
  [{ connections: 0 }, 'connections must be a whole number from 1 to 1000, got 0'],
  [{ waitMs: -1 }, 'waitMs must be a whole number of at least 0, got -1'],
  [{ peers: { port: 'x' } }, 'peers.port must be a whole number from 0 to 65535, got "x"'],
  [{ conections: 1 }, 'unknown option `conections`; did you mean `connections`?'],
  [{ onError: 'log' }, 'onError must be a function, got "log"'],
])('openCluster with %j is refused before it connects', async (more, sentence) => {
  const opening = openCluster({ ...servers, ...more } as never)
  await expect(opening).rejects.toThrow(sentence)
  await expect(opening).rejects.not.toThrow('hidden')
})
