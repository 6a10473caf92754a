import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'
import { figuresOf } from './check-figures.ts'
import { agreesWith, readShown } from './check-shown.ts'

/** Work that is looked at in many ways meanwhile, however long that takes; and some that is soon done. */
const long = 'world'
const short = 'world/south-america'
const right = figuresOf(short)

await tellStory({
  start: (more) => startHarness({ dirs: [import.meta.dirname], ...more }),
  async tell(story) {
    const { page, see, changeScripts } = story
    await signIn(story, 'ada')
    const { frame, inside } = windowAt(story, await openApp(story, 'Folder index'))
    const folder = inside.getByRole('combobox', { name: 'Folder' })
    const card = (name: string) =>
      inside.getByRole('listitem').filter({ has: inside.getByText(name, { exact: true }) })
    const bar = inside.getByRole('progressbar', { name: `Index of ${long}`, exact: true })

    async function index(name: string): Promise<void> {
      await folder.fill(name)
      const seconds = inside.getByRole('spinbutton', { name: 'Seconds at most' })
      // In Firefox `fill` writes behind what a field of numbers has.
      await seconds.evaluate((input) => Object.assign(input, { value: '' }).value)
      await seconds.fill('3600')
      await inside.getByRole('button', { name: 'Index it' }).click()
    }

    /** How far the bar is, in per cent, once it says so. */
    async function shownShare(): Promise<number> {
      await inside.locator('[role=progressbar][aria-valuenow]').first().waitFor()
      return Number(await bar.getAttribute('aria-valuenow'))
    }

    /** Waits until the bar has passed a share, by what it tells. */
    const passes = (share: number) =>
      bar.evaluate(
        (element, least) =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (Number(element.ariaValueNow) <= least) return
              observer.disconnect()
              resolve()
            }
            const observer = new MutationObserver(look)
            observer.observe(element, { attributeFilter: ['aria-valuenow'] })
            look()
          }),
        share,
      )

    /** Does something to the window in mid-job, and sees the bar go on from where it was. */
    async function goesOnAfter(interrupt: () => Promise<unknown>): Promise<void> {
      const before = await shownShare()
      await interrupt()
      const after = await shownShare()
      ok(after >= before, `the bar must go on from ${before} %, shows ${after} %`)
      await passes(after)
    }

    await see('the app offers the folders of the plugin, and says that there are no jobs', async () => {
      await inside.getByText('260 texts, 1.1 MiB').waitFor()
      await inside.getByText('Nothing has been indexed yet.').waitFor()
      equal(await folder.inputValue(), long)
    })

    await see('a job is started, and its bar moves, with counts', async () => {
      await index(long)
      await passes(await shownShare())
      await card(long)
        .getByText(/^compares the entries: \d+ of 260$/)
        .waitFor()
      await card(long).getByText('at work').waitFor()
    })

    await see('a reload of the bundle finds the job, and the bar goes on', () =>
      goesOnAfter(async () => {
        await inside.locator('html').evaluate((old) => {
          old.dataset.old = ''
          location.reload()
        })
        await inside.locator('html:not([data-old])').waitFor()
      }),
    )

    await see('a reload of the page finds the job, and the bar goes on', () =>
      goesOnAfter(() => page.reload()),
    )

    await see('a window that was closed and opened again finds the job, and the bar goes on', () =>
      goesOnAfter(async () => {
        await frame.getByRole('button', { name: 'Close' }).click()
        await frame.waitFor({ state: 'detached' })
        await openApp(story, 'Folder index')
      }),
    )

    await see('a second job runs beside it to its end, and its index is shown', async () => {
      cites('job.success.stored')
      await index(short)
      await card(short).getByText('done').waitFor()
      await inside.getByRole('heading', { name: short }).waitFor()
      equal(await card(long).getByText('at work').isVisible(), true)
    })
    const shown = await readShown(inside)

    await see('every word, twin and text of it is that of the independent check', async () => {
      agreesWith(shown, right)
    })

    await see('a word can be found in the index', async () => {
      const { word, count, places } =
        right.words.find((one) => one.word.startsWith('volcano')) ?? fail('no volcano')
      await inside.getByRole('searchbox', { name: 'Find a word' }).fill('VOLCANO')
      const [found] = (await readShown(inside)).words
      deepEqual(found, [word, `${count}`, ...places.map(([, here]) => `${here}`)])
      await inside.getByRole('searchbox', { name: 'Find a word' }).fill('xyzzy')
      await inside.getByText('None of the 1,500 most frequent words contains “xyzzy”.').waitFor()
    })

    await see('a folder that is not there fails the job, which names those that are', async () => {
      cites('job.failure.error')
      await index('atlantis')
      await card('atlantis')
        .getByRole('alert')
        .getByText(/there is no folder "atlantis".*; there are world, world\/africa,/)
        .waitFor()
    })

    await see('the long job is cancelled, and the reason is shown', async () => {
      cites('job.cancel.reason')
      await inside.getByRole('button', { name: `Cancel ${long} …`, exact: true }).click()
      await inside.getByLabel(`Why cancel ${long}?`).press('Escape')
      await inside.getByRole('button', { name: `Cancel ${long} …`, exact: true }).press('Enter')
      await inside.getByLabel(`Why cancel ${long}?`).fill('it takes <b>too</b> long')
      await card(long).getByRole('button', { name: 'Cancel the job' }).click()
      await card(long).getByText('cancelled', { exact: true }).waitFor()
      await card(long).getByText('Reason: it takes <b>too</b> long').waitFor()
      equal(await bar.isVisible(), false)
    })

    await see('after a reload all are listed as they ended, and the index is shown again', async () => {
      await page.reload()
      await card(long).getByText('Reason: it takes <b>too</b> long').waitFor()
      await card('atlantis').locator('[data-code=tool_failed]').waitFor()
      await inside.getByRole('button', { name: `Show the index of ${short}` }).click()
      await inside.getByRole('heading', { name: short }).waitFor()
      deepEqual(await readShown(inside), shown)
    })

    const withoutJobs = async () => {
      // The bundle is made to ask for a method that no host has, as no host had this one before there were jobs.
      await changeScripts('tools.invokeAsync', 'tools.invokeNever')
      await page.reload()
      await inside
        .getByRole('alert')
        .getByText(/^This host has no jobs/)
        .waitFor()
      equal(await folder.isVisible(), false)
    }
    await see('on a host that has no jobs a sentence says so', withoutJobs, 'scripts')
  },
})
