import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'
import { figuresOf } from './check-figures.ts'
import { agreesWith, readShown } from './check-shown.ts'

const file = path.join(import.meta.dirname, 'data/journeys.csv')
const bytes = readFileSync(file)
const right = figuresOf(bytes.toString(), 'journeys.csv')

await tellStory({
  start: (more) => startHarness({ dirs: [import.meta.dirname], ...more }),
  async tell(story) {
    const { sent, see } = story
    await signIn(story, 'ada')
    const { inside } = windowAt(story, await openApp(story, 'CSV lens'))
    const picker = inside.getByLabel('Choose a file')
    const facts = inside.locator('#report-facts')
    const trouble = inside.getByRole('alert')

    await see('the app invites a file, and names its limit', async () => {
      await inside.getByText('Drop a CSV file here').waitFor()
      await inside.getByText('up to 4 MiB').waitFor()
    })

    await see('100 000 rows are described by the tool in Node, with the time it took', async () => {
      cites('tools.invoke.payload', 'tools.invoke.method.given')
      await picker.setInputFiles([{ name: 'journeys.csv', mimeType: 'text/csv', buffer: bytes }])
      await facts
        .getByText(
          /^100,000 rows · 6 columns · [\d.]+ MiB of UTF-8 · separated by , · described by Node in [\d.]+ m?s$/,
        )
        .waitFor()
    })
    const byNode = await readShown(inside)

    await see('every figure, text and bar is that of the independent check', async () => {
      agreesWith(byNode, right)
    })

    await see('the tool in Python describes the same file again', async () => {
      await inside.getByRole('radio', { name: 'Python' }).check()
      await facts.getByText(/^100,000 rows · .* described by Python in /).waitFor()
    })

    await see('it shows the same, figure by figure', async () => {
      const byPython = await readShown(inside)
      deepEqual(byPython, byNode)
      agreesWith(byPython, right)
    })

    await see('a dropped file is described', async () => {
      await inside.locator('#drop').evaluate((area) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['fruit,price\npear,2.5\n"apple, red",\n'], 'fruit.csv'))
        area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })
      await inside.getByRole('heading', { name: 'fruit.csv' }).waitFor()
      agreesWith(await readShown(inside), figuresOf('fruit,price\npear,2.5\n"apple, red",\n', 'fruit.csv'))
    })

    await see('a description can be stopped', async () => {
      // Pressed in the page itself: by the time that a test has seen the button, the tool may be done.
      await inside.locator('#stage').evaluate((stage) => {
        const observer = new MutationObserver(() => {
          if (!stage.textContent?.startsWith('Python describes journeys.csv')) return
          observer.disconnect()
          requestAnimationFrame(() => document.getElementById('abort')?.click())
        })
        observer.observe(stage, { childList: true })
      })
      await inside.getByRole('button', { name: 'Try 100,000 bike rides' }).click()
      await inside.getByRole('status').getByText('Stopped: nothing was described.').waitFor()
      equal(await trouble.isVisible(), false)
      equal(await inside.locator('#report').isVisible(), false)
    })

    await see('the sample that the bundle brings is described after that', async () => {
      await inside.getByRole('radio', { name: 'Node' }).check()
      await facts.getByText(/^100,000 rows · .* described by Node in /).waitFor()
      equal(await trouble.isVisible(), false)
      agreesWith(await readShown(inside), right)
    })

    const calls = async () => {
      const described = sent.filter(({ body }) => body.includes('describe_csv')).length
      ok(described >= 5, `each description is a call of its own, saw ${described}`)
    }
    await see('each description was a call of its own', calls, 'sent')
  },
})
