import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'
import { FIREFOX } from './firefox.ts'

const prefs = {
  'network.dns.native-is-localhost': true,
  'network.trr.mode': 5,
  // In frames with a process of their own the keys that Playwright sends do not arrive.
  'fission.autostart': false,
  'dom.ipc.processCount': 1,
}

/** Starts a headless Firefox ESR for Playwright, with an empty profile; the caller closes it. */
export async function launchFirefox(): Promise<Browser> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-firefox-'))
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  const executablePath = join(dir, 'firefox')
  const words = [process.execPath, join(import.meta.dirname, 'firefox-relay.ts'), FIREFOX]
  writeFileSync(executablePath, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
    mode: 0o700,
  })
  try {
    const browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath,
      env: { ...process.env, HOME: dir },
      firefoxUserPrefs: prefs,
    })
    browser.on('disconnected', remove)
    return browser
  } catch (error) {
    remove()
    throw error
  }
}
