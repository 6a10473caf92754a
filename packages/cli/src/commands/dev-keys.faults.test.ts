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
const PATIENT = { timeout: 30_000, interval: 50 }

let app: TinyApp
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(() => app.remove())

const SVC_DEV = `"${process.execPath}" "${main}" dev . --port 0`

/** Runs a script of the shell in a terminal, with a folder of the tiny app around it. */
function inTerminal(script: string) {
  const child = spawn('python3', ['-c', IN_TERMINAL, 'sh', '-c', script], {
    cwd: app.dir,
    env: {
      ...process.env,
      SVC_START_TOKEN: TEST_START_TOKEN,
      XDG_STATE_HOME: path.join(app.dir, '.state'),
    },
  })
  // A key that is pressed again and again is pressed once more after the end.
  child.stdin.on('error', () => {})
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += bytes
  })
  return {
    exit: once(child, 'exit'),
    press: (keys: string) => child.stdin.write(keys),
    /** Waits for a text behind those that were seen before. */
    async sees(text: RegExp): Promise<string> {
      await expect.poll(() => said, PATIENT).toMatch(text)
      const [seen = ''] = text.exec(said) ?? []
      said = said.slice(said.indexOf(seen) + seen.length)
      return seen
    },
  }
}

/** Signs in at the address that svc dev prints. */
const userOf = async (address: string) =>
  openHttpUser(/http:\/\/127\.0\.0\.1:\d+/.exec(address)?.[0] ?? '', 'ada')

it('svc dev in a terminal listens to keys, and gives the terminal back', async () => {
  const { exit, press, sees } = inTerminal(`${SVC_DEV}; echo "ended $?"; stty -a`)
  const ada = await userOf(await sees(/svc is running[\s\S]*keys +o opens the page/))
  press('h')
  await sees(/r +starts everything again/)
  press('r')
  await sees(/svc is running/)
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
  press('c')
  await sees(/svc is running/)
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: false })
  press('q')
  await sees(/ended 0[\s\S]*[^-]icanon/)
  expect(await exit).toEqual([0, null])
})

it('svc dev in the background runs on, and listens once it is in front', async () => {
  const { exit, press, sees } = inTerminal(`set -m; ${SVC_DEV} & read line; fg; echo "ended $?"`)
  const ada = await userOf(await sees(/svc is running[\s\S]*keys +o opens the page/))
  expect(await ada.call('window', 'heartbeat')).toMatchObject({ ok: true })
  press('\n')
  // The shell says what it brings to the front; a key that comes before svc took the terminal is lost, or waits for a line's end.
  await sees(/dev"? \. --port 0/)
  const pressing = setInterval(() => press('q'), PATIENT.interval)
  await sees(/ended 0/).finally(() => clearInterval(pressing))
  expect(await exit).toEqual([0, null])
})
