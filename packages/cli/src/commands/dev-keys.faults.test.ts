import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpUser } from '../testing/http-user.ts'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'

const main = path.join(import.meta.dirname, '../main.ts')
/** Runs a command in a terminal of its own, whose keys are this process's stdin. */
const IN_TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'
const MANY_MS = 60_000
const PATIENT = { timeout: 30_000, interval: 50 }

let app: TinyApp
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(() => app.remove())

it('svc dev in a terminal listens to keys, and gives the terminal back', { timeout: MANY_MS }, async () => {
  const command = ['sh', '-c', `"${process.execPath}" "${main}" dev . --port 0; echo "ended $?"; stty -a`]
  const child = spawn('python3', ['-c', IN_TERMINAL, ...command], {
    cwd: app.dir,
    env: {
      ...process.env,
      SVC_START_TOKEN: TEST_START_TOKEN,
      XDG_STATE_HOME: path.join(app.dir, '.state'),
    },
  })
  const exit = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += bytes
  })
  const seen = (text: RegExp) => expect.poll(() => said, PATIENT).toMatch(text)

  await seen(/keys +o opens the page/)
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
  const ada = await openHttpUser(url, 'ada')
  child.stdin.write('h')
  await seen(/r +starts everything again/)
  said = ''
  child.stdin.write('r')
  await seen(/svc is running/)
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
  said = ''
  child.stdin.write('c')
  await seen(/svc is running/)
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: false })
  said = ''
  child.stdin.write('q')
  await seen(/ended 0[\s\S]*[^-]icanon/)
  expect(await exit).toEqual([0, null])
})
