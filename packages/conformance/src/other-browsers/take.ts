import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeApps } from '../testing/app-folder.ts'
import { type Attacker, openAttacker, servePlainly } from '../testing/attacker.ts'
import { startPageHost } from '../testing/page-host.ts'
import { mount, read, startBridge } from '../testing/tab-page.ts'
import { leavers, plainWays, writeWays } from '../testing/ways-apps.ts'
import { namesUnder, type Tab } from './tab.ts'

/** What came to an attacker, by way; and how much of it without a name. */
export interface Reach {
  /** The ways whose names were looked up, as far as the browser says so, or came with a byte. */
  readonly names: readonly string[]
  readonly connections: number
  /** Whether a request came, and not just the beginning of a connection. */
  readonly isAsked: boolean
  readonly packets: number
}

const talk = `import { svc } from '@svc/sdk'
  const say = (what) => { document.documentElement.dataset.called = String(what) }
  svc.ready.then(() => svc.window.set_title({ title: 'new' })).then(() => say('done'), say)`

/** What a browser lets out of bundles, and of a page without a policy. */
export interface Outcome {
  /** What the first call of an app came to. */
  readonly called: string
  readonly bundle: Reach
  readonly control: Reach
}

/** Takes every way out of bundles on a real host, whose frames connect and are called, then of a page without a policy. */
export async function takeWays(open: (dir: string) => Promise<Tab>, root: string): Promise<Outcome> {
  const [bundle, control] = [await openAttacker(), await openAttacker()]
  const [BUNDLE, CONTROL] = [`bundle.${root}`, `control.${root}`]
  const domains = { bundle: `${BUNDLE}:${bundle.tcpPort}`, control: `${CONTROL}:${control.tcpPort}` }
  const dir = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const apps = await writeApps({ talk: { script: talk } })
  writeWays(apps.dir, domains.bundle, bundle.stun)
  const host = await startPageHost({ dir: apps.dir })
  const plain = await servePlainly(plainWays(domains.control, control.stun))
  const tab = await open(dir)
  try {
    await tab.goto(host.url)
    await tab.run(startBridge)
    // The bridge asks where a link would lead elsewhere, and a browser would wait for its user.
    await tab.run('globalThis.confirm = () => false')
    await tab.run(mount('talk'))
    const called = String(await tab.run(read('called'), 'frame'))
    await tab.run(mount('out'))
    await tab.run(read('tried'), 'frame')
    for (const [way] of leavers)
      await tab.run(`${mount(`leave ${way}`)}
        await new Promise((done) => { setTimeout(done, 1000); addEventListener('securitypolicyviolation', done, { once: true }) })
        globalThis.win?.detach()`)
    for (const [way] of leavers) {
      await tab.goto(`${plain.url}/${way}/`)
      await setTimeout(300)
    }
    // The last, and not for longer than this: its popups may hold up the tab.
    await Promise.race([tab.goto(`${plain.url}/`), setTimeout(8_000)])
    await setTimeout(4_000)
    const reach = (attacker: Attacker, domain: string): Reach => ({
      names: [...new Set([...tab.names(domain), ...namesUnder(domain, attacker.tcp.text)])].sort(),
      connections: attacker.tcp.connections,
      isAsked: attacker.tcp.text.includes('HTTP/1.1'),
      packets: attacker.udp.packets,
    })
    return { called, bundle: reach(bundle, BUNDLE), control: reach(control, CONTROL) }
  } finally {
    await tab.close()
    plain.server.close()
    bundle.close()
    control.close()
    await host.close()
    apps.remove()
    rmSync(dir, { recursive: true, force: true })
  }
}
