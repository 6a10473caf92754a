import { bundle } from '../bundle.ts'

const BRIDGE = `import * as bridge from '@svc/bridge'; globalThis.bridgeApi = bridge`
const made = new Map<'script', Promise<string>>()

/** The script of a page that has the bridge as `globalThis.bridgeApi`; it is bundled once for all tests of a worker. */
export function bridgeScript(): Promise<string> {
  const script = made.get('script') ?? bundle({ contents: BRIDGE, resolveDir: import.meta.dirname })
  made.set('script', script)
  return script
}
