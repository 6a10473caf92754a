import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Absent, askRegistry } from './installed.ts'

const tea = { name: 'tea', version: '1.0.0' }

it('rows are skipped where the registry does not answer, and fail where it has no such package', async () => {
  const registry = createServer((_, response) => response.writeHead(404).end('{}'))
  onTestFinished(() => void registry.close())
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const { port } = registry.address() as AddressInfo
  const from = `--registry=http://127.0.0.1:${port}/`
  await expect(askRegistry(tea, from)).resolves.toBeUndefined()

  registry.close()
  const asked = askRegistry(tea, from)
  await expect(asked).rejects.toBeInstanceOf(Absent)
  await expect(asked).rejects.toThrow(/does not answer: .*ECONNREFUSED/)
})
