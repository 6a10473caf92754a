import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Notes what is loaded, and prints it on stderr when the process ends; in front of what is measured. */
const HOOK = `
  import { registerHooks } from 'node:module'
  const names = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /^.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? []
      const [, ours] = /\\/packages\\/([^/]+)\\/src\\//.exec(url) ?? []
      if (name ?? ours) names.add(name ?? '@svc/' + ours)
      return next(url, context)
    },
  })
  process.on('exit', () => {
    for (const part of process.moduleLoadList) names.add(part.replace('NativeModule ', 'node:'))
    console.error('\\nloaded ' + JSON.stringify([...names]))
  })
`

/**
 * Runs Node with these arguments and returns the names of the packages that it loaded, ours too, and of the modules of
 * Node itself, such as `node:internal/deps/undici/undici`.
 */
export async function loadedPackages(args: readonly string[]): Promise<readonly string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, ...args])
  const [, names = '[]'] = /^loaded (.*)$/m.exec(stderr) ?? []
  return JSON.parse(names) as string[]
}
