import { deepEqual, match } from 'node:assert/strict'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'

await tellStory({
  start: (more) => startHarness({ dirs: [import.meta.dirname], ...more }),
  async tell(story) {
    const { page, see } = story
    await signIn(story, 'ada')
    const { inside } = windowAt(story, await openApp(story, 'WASM lab'))
    const state = (text: string | RegExp) => inside.locator('#state').getByText(text).waitFor()
    const press = (name: string) => inside.getByRole('button', { name, exact: true }).click()
    const cells = () => inside.locator('#rows td').allTextContents()
    const ask = async (sql: string) => {
      await inside.getByLabel('Question in SQL').fill(sql)
      await press('Run')
    }

    await see('SQLite starts in a worker and answers the first question', async () => {
      cites('wall.bundle.platform', 'sdk.worker')
      await state('5 rows')
      match((await cells()).join(), /Basel/)
    })

    await see('a question is answered from 50 000 rows', async () => {
      await ask('SELECT COUNT(*) AS rides, MIN(day) AS first FROM rides')
      await state('1 row')
      deepEqual(await cells(), ['50000', '2026-01-01'])
    })

    await see('what SQLite says of a mistake is shown', async () => {
      await ask('SELECT colour FROM rides')
      await inside.getByRole('alert').getByText('no such column: colour').waitFor()
    })

    await see('a question that never ends is stopped, and the next one is answered', async () => {
      cites('sdk.worker.settles')
      await press('Try one that never ends')
      await state('SQLite is at work')
      await press('Stop')
      await state('Stopped. A new SQLite is ready.')
      await ask("SELECT 'still here' AS word")
      await state('1 row')
      deepEqual(await cells(), ['still here'])
    })

    await see('the worker keeps the last question for the next window', async () => {
      await page.reload()
      await inside.locator('#rows').getByText('still here').waitFor()
    })
  },
})
