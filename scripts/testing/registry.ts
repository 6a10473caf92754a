import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A registry of a test, and what a command needs to use it. */
export interface Registry {
  readonly url: string
  /** It asks for no proof of where a package comes from. */
  readonly provenance: false
  /** For npm: this registry, a sign-in that it takes, and a cache of its own that is empty at first. */
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

/**
 * Opens a registry that keeps what is published in a folder, and has everything else from another registry.
 *
 * @param behind the URL of the other one
 */
export async function openRegistry(dir: string, behind: string): Promise<Registry> {
  const storage = path.join(dir, 'registry')
  mkdirSync(storage, { recursive: true })
  const child = fork(path.join(import.meta.dirname, 'registry-process.ts'), [storage, behind], {
    cwd: storage,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [port] = await once(child, 'message')
  const url = `http://127.0.0.1:${port}/`
  const userconfig = path.join(dir, 'npmrc')
  const lines = [
    `registry=${url}`,
    `//127.0.0.1:${port}/:_authToken=trial`,
    `cache=${path.join(dir, 'cache')}`,
  ]
  writeFileSync(userconfig, `${lines.join('\n')}\n`)
  // What npm that runs this test was told goes before its files.
  const told = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  return {
    url,
    provenance: false,
    env: { ...Object.fromEntries(told), NPM_CONFIG_USERCONFIG: userconfig },
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
