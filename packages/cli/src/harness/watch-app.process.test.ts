import { expect, it } from 'vitest'
import { makeTinyApp } from '../testing/tiny-app.ts'
import { startHarness } from './harness.ts'

it('builds again at the start what was saved of public during the first build', async () => {
  const app = makeTinyApp('export const svc = {}')
  // By then the build has its copy of it.
  app.put(
    'vite.config.js',
    `import { readFileSync, writeFileSync } from 'node:fs'
    const file = ${JSON.stringify(`${app.dir}/public/manifest.json`)}
    const save = () => {
      const text = readFileSync(file, 'utf8')
      if (text.includes('Tiny')) writeFileSync(file, text.replace('Tiny', 'Changed'))
    }
    export default { plugins: [{ name: 'save', apply: 'build', closeBundle: save }] }`,
  )
  const { host, close } = await startHarness({ dirs: [app.dir], shell: false, watch: true })
  try {
    await expect.poll(async () => (await host.apps.installs('dev'))[0]?.name).toBe('Changed')
  } finally {
    await close()
    app.remove()
  }
})
