import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpUser } from '../testing/http-user.ts'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { openRestartable, type Restartable } from './restartable.ts'

let app: TinyApp
let harness: Restartable | undefined
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(async () => {
  await harness?.close()
  app.remove()
})

async function open(data?: string): Promise<Restartable> {
  harness = await openRestartable({
    dirs: [app.dir],
    shell: false,
    host: { startToken: TEST_START_TOKEN },
    ...(data !== undefined && { data }),
  })
  return harness
}

it('a harness that is started again is at the same address, and a window of before goes on', async () => {
  const opened = await open()
  const { url } = opened.current
  const ada = await openHttpUser(url, 'ada')
  for (const times of [1, 2]) {
    const { host } = opened.current
    await opened.restart()
    expect([times, opened.current.url, opened.current.host === host]).toEqual([times, url, false])
    expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
  }
})

it('one that is cleared has forgotten its users and windows', async () => {
  const opened = await open()
  const { url } = opened.current
  const ada = await openHttpUser(url, 'ada')
  await opened.clear()
  expect(opened.current.url).toBe(url)
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: false, error: { code: 'invalid_token' } })
  expect((await openHttpUser(url, 'ada')).windowUuid).not.toBe(ada.windowUuid)
})

it('a folder of data is not cleared: its user deletes it', async () => {
  const opened = await open(`${app.dir}/data`)
  const ada = await openHttpUser(opened.current.url, 'ada')
  await expect(opened.clear()).rejects.toMatchObject({
    kind: 'usage',
    message: `the data is kept in ${app.dir}/data`,
    hint: 'To clear it, stop svc and delete this folder.',
  })
  await opened.restart()
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
})

it('one that could not be started again is tried again', async () => {
  const opened = await open()
  const ada = await openHttpUser(opened.current.url, 'ada')
  app.put('greeting.js', 'export const greeting = {{\n')
  await expect(opened.restart()).rejects.toMatchObject({ kind: 'build' })
  await expect(fetch(opened.current.url)).rejects.toThrow()
  app.greet('Hello again')
  await opened.restart()
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
})

it('a restart that follows a clearing at once has the data of after it', async () => {
  const opened = await open()
  const ada = await openHttpUser(opened.current.url, 'ada')
  await Promise.all([opened.clear(), opened.restart()])
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: false })
  const again = await openHttpUser(opened.current.url, 'ada')
  expect(await again.call('window', 'heartbeat')).toMatchObject({ ok: true })
})

it('an end that meets a restart leaves nothing running', async () => {
  const opened = await open()
  const restarted = opened.restart()
  await opened.close()
  await restarted
  await expect(fetch(opened.current.url)).rejects.toThrow()
})
