import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@svc/conformance/testing/free-port'
import { type CommandEnd, runSvc, startSvc } from './cli.ts'

/** Where hosts of a test keep their data. */
export interface TestPlace {
  readonly postgres: string
  readonly redis: string
  readonly name?: string
  readonly connections?: number
}

/** A host that was started: its URL, and what ends it. */
export interface TestServe {
  readonly url: string
  readonly sees: (text: string) => Promise<void>
  readonly errs: (text: string) => Promise<void>
  readonly out: () => Promise<CommandEnd>
}

/** A folder with a config file, from which hosts and commands of a test are started. */
export interface ClusterHosts {
  readonly dir: string
  /** Writes a config file whose data is there. */
  configure(file: string, data: string | TestPlace, rest?: object): void
  /** Starts `svc serve` with a config file; resolves once it says what it serves, or that text. */
  serve(file: string, until?: string): Promise<TestServe>
  /** Runs `svc` to its end. */
  run(...args: string[]): Promise<CommandEnd>
  /** Ends what still runs, and removes the folder. */
  close(): Promise<void>
}

const manifest = {
  schema: 3,
  name: 'Shared',
  version: '1.0.0',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true, title: 'Shared' }],
    host_api: { storage: ['*'], upload: ['*'] },
  },
}

/** Makes the folder, with an app. */
export function openClusterHosts(): ClusterHosts {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-cluster-'))
  mkdirSync(path.join(dir, 'app'))
  writeFileSync(path.join(dir, 'app/index.html'), '<!doctype html><title>Shared</title>')
  writeFileSync(path.join(dir, 'app/manifest.json'), JSON.stringify(manifest))
  const running: ReturnType<typeof startSvc>[] = []
  return {
    dir,
    configure(file, data, rest = {}) {
      const app = { dir: 'app', grants: { upload_grant: true } }
      const config = { signIn: 'dev', isolation: 'none', apps: [app], data, ...rest }
      writeFileSync(path.join(dir, file), JSON.stringify(config))
    },
    async serve(file, until = '  lacks ') {
      const port = await freePort()
      const svc = startSvc(['serve', '--config', file, '--port', String(port)], { cwd: dir })
      running.push(svc)
      await svc.sees(until)
      async function out() {
        svc.child.kill('SIGTERM')
        return svc.ended
      }
      return { url: `http://127.0.0.1:${port}`, sees: svc.sees, errs: svc.errs, out }
    },
    run: (...args) => runSvc(args, { cwd: dir }),
    async close() {
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
