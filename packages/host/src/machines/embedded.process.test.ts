import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifies } from '@svc/conformance/verifies'
import { expect, onTestFinished } from 'vitest'
import { openMachineHost } from '../testing/runner-host.ts'
import { openMachine, refusedMachine } from '../testing/runner-machine.ts'

verifies(['link.serves', 'runner.token.alone'], 'a server that embeds the host hands links on', async () => {
  const at = await openMachineHost()
  const server = createServer().on('upgrade', at.host.upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await at.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  expect(await refusedMachine(port, 'svcr_x')).toMatchObject({ status: 401 })
  const machine = await openMachine(port, at.token)
  await machine.hear('welcome')
  const call = at.call()
  machine.answer(await machine.hear('call'), { n: 1 })
  expect(await call).toMatchObject({ ok: true, payload: { n: 1 } })
  machine.ws.terminate()
})
