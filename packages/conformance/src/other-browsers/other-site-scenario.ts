import { deepEqual } from 'node:assert/strict'
import { writeApps } from '../testing/app-folder.ts'
import { startOtherSite } from '../testing/other-site.ts'
import { shown } from '../testing/tab-page.ts'
import { uploadApp } from '../testing/upload-app.ts'
import type { Scenario } from './scenarios.ts'

/** The page of the guide and its host at another site, beside the page of the other scenarios. */
export const otherSiteScenario: Scenario = {
  name: 'a page has an app of a host at another site, by a token of its backend and without a cookie',
  app: { script: '' },
  async prove({ tab }) {
    const apps = await writeApps({ app: uploadApp })
    const site = await startOtherSite(apps.dir)
    try {
      await tab.goto(site.page)
      await tab.run(
        `while (!document.querySelector('iframe')) await new Promise((done) => setTimeout(done, 20))`,
      )
      const path = '/api/v1/svc-apps/files/'
      deepEqual(await shown(tab), { value: 1, text: true, put: 200, path, width: 1 })
      deepEqual(site.cookies, [])
    } finally {
      await site.close()
      apps.remove()
    }
  },
}
