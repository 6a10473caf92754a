import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { watchBundle } from './build.ts'
import { readProject } from './project.ts'

let app: TinyApp
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(() => app.remove())

const built = () =>
  globSync('dist/assets/*.js', { cwd: app.dir })
    .map((file) => readFileSync(path.join(app.dir, file), 'utf8'))
    .join('')

it('has in its first build what was saved after the bundler had read it', async () => {
  // Nothing is watched yet by then.
  app.put(
    'vite.config.js',
    `import { readFileSync, writeFileSync } from 'node:fs'
    const file = ${JSON.stringify(path.join(app.dir, 'greeting.js'))}
    const save = () => {
      const text = readFileSync(file, 'utf8')
      if (text.includes('Hello')) writeFileSync(file, text.replace('Hello', 'Changed'))
    }
    export default { plugins: [{ name: 'save', buildEnd: save }] }`,
  )
  const project = readProject(app.dir)
  const watching = await watchBundle(project, () => undefined)
  try {
    await expect.poll(built).toContain('Changed')
  } finally {
    await watching.close()
  }
})
