import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { checkPort, freePort } from './port.ts'

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it('takes the next free port where nobody named one', async () => {
  const taken = await takenPort()
  expect(await freePort(taken)).toBeGreaterThan(taken)
})

it('says which line takes another port than the one that was named', async () => {
  const taken = await takenPort()
  await expect(checkPort(taken, (port) => `npm start -- --port ${port}`)).rejects.toMatchObject({
    kind: 'port',
    message: `port ${taken} is in use`,
    hint: `Take another one: npm start -- --port ${taken + 1}`,
  })
})
