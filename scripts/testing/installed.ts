import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Prints the global names and the listeners of the process that modules added; zod and Vue keep theirs so. */
export const addedNames = `const now = () => [...Object.getOwnPropertyNames(globalThis), ...process.eventNames()].map(String)
const before = now()
process.once('exit', () => {
  const names = now().filter((name) => !before.includes(name) && !/^(__zod_|__VUE_|exit$)/.test(name))
  if (names.length > 0) console.log(names)
})\n`

/** Writes the sources of an app that calls its host. */
export function writeSmallApp(folder: string, sdk: string): void {
  mkdirSync(path.join(folder, 'public'), { recursive: true })
  const ui = {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { window: ['set_title'] },
  }
  const manifest = { schema: 3, name: 'Notes', version: '1.0.0', ui }
  writeFileSync(path.join(folder, 'public/manifest.json'), JSON.stringify(manifest))
  writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><title>Notes</title><script type="module">
      import { svc } from '${sdk}'
      await svc.window.set_title({ title: 'Mine' })
    </script>`,
  )
}
