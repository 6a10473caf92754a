import { deepEqual, equal, match } from 'node:assert/strict'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'

await tellStory({
  start: (more) => startHarness({ dirs: [import.meta.dirname], ...more }),
  async tell(story) {
    const { page, sent, see } = story
    await signIn(story, 'ada')
    const { frame, iframe, inside } = windowAt(story, await openApp(story, 'Hello window'))
    const answer = (name: string) => inside.locator('dt', { hasText: name }).locator('+ dd')
    const call = (text: string | RegExp) => inside.locator('#calls li').filter({ hasText: text }).first()
    const size = async (name: 'Width' | 'Height', pixels: string) => {
      const field = inside.getByLabel(name)
      // In Firefox `fill` writes behind what a field of numbers has.
      await field.evaluate((input) => Object.assign(input, { value: '' }).value)
      await field.fill(pixels)
    }
    const press = (name: string) => inside.getByRole('button', { name }).click()
    const task = (title: string) =>
      page.getByRole('navigation', { name: 'Windows' }).getByRole('button', { name: title })
    const isInFront = (title: string) => page.locator(`[data-front][aria-label="${title}"]`).waitFor()
    /** Waits until the document inside has this size; its window takes it with the next frame. */
    const hasSize = async (w: number, h: number) => {
      const root = inside.locator('html')
      await root.evaluate(
        (_, w) =>
          new Promise<void>((resolve) => {
            const look = () => innerWidth === w && resolve()
            addEventListener('resize', look)
            look()
          }),
        w,
      )
      await root.evaluate(
        (_, h) =>
          new Promise<void>((resolve) => {
            const look = () => innerHeight === h && resolve()
            addEventListener('resize', look)
            look()
          }),
        h,
      )
    }

    await see(
      'the app opens from the launcher, in an iframe that may do nothing but run scripts',
      async () => {
        cites('wall.iframe.opaque', 'call.sandbox')
        await inside.getByRole('heading', { name: 'Hello from inside a window' }).waitFor()
        equal(await iframe.getAttribute('sandbox'), 'allow-scripts allow-forms')
        const seen = await inside.locator('body').evaluate(() => {
          try {
            localStorage.setItem('name', 'Ada')
            return [self.origin, localStorage.getItem('name')]
          } catch (error) {
            return [self.origin, error instanceof DOMException && error.name]
          }
        })
        deepEqual(seen, ['null', 'QuotaExceededError'])
      },
    )

    await see('it shows what the host said: app, view, size, methods', async () => {
      cites('window.hello.result')
      match((await answer('App').textContent()) ?? '', /^app_/)
      equal(await answer('View').textContent(), 'main')
      equal(await answer('Size').textContent(), '780 × 680')
      equal(await answer('Largest').textContent(), '1000 × 800')
      const methods = await inside.locator('#methods li').allTextContents()
      deepEqual(
        methods.filter((name) => !name.startsWith('window.')),
        [],
      )
      equal(methods.includes('window.hello'), true)
      await hasSize(780, 680)
    })

    await see('a new title stands on the window and in the list of windows', async () => {
      cites('window.set_title', 'window.set_title.event', 'event.title_changed')
      await inside.getByLabel('Title').fill('Hello, moon')
      await inside.getByLabel('Title').press('Enter')
      await page.getByRole('region', { name: 'Hello, moon' }).waitFor()
      await task('Hello, moon').waitFor()
      await call(/^title_changed.*Hello, moon/).waitFor()
    })

    await see('another title is set by a button', async () => {
      await inside.getByLabel('Title').fill('Hello, sun')
      await press('Set title')
      await page.getByRole('region', { name: 'Hello, sun' }).waitFor()
    })

    const crosses = async () => {
      cites('call.bridge')
      const bodies = sent.filter(({ body }) => body.includes('Hello, sun'))
      deepEqual(
        bodies.map(({ byPage }) => byPage),
        [true],
      )
    }
    await see('the call crossed the page, and reached the host as one body of the page', crosses, 'sent')

    await see('a title of nothing is refused, and the user reads why', async () => {
      await inside.getByLabel('Title').fill('')
      await press('Set title')
      await call(/window\.set_title.*invalid_arg · .*title/).waitFor()
    })

    await see('a size is taken by the window', async () => {
      await size('Width', '700')
      await size('Height', '660')
      await press('Resize')
      await inside.getByText('The window is 700 × 660 now.').waitFor()
      await hasSize(700, 660)
    })

    await see('a size past the view’s bounds is moved into them', async () => {
      cites('window.resize.clamped')
      await size('Width', '5000')
      await size('Height', '5000')
      await press('Resize')
      await inside.getByText('Asked for 5000 × 5000; this view allows 1000 × 800.').waitFor()
      await hasSize(1_000, 800)
    })

    await see('size and title are there again after the page was reloaded', async () => {
      cites('window.resize.persisted', 'route.windows.list')
      await size('Width', '720')
      await size('Height', '640')
      await press('Resize')
      await inside.getByText('The window is 720 × 640 now.').waitFor()
      await page.reload()
      await page.getByRole('region', { name: 'Hello, sun' }).waitFor()
      await inside.getByRole('heading', { name: 'Hello from inside a window' }).waitFor()
      equal(await answer('Size').textContent(), '720 × 640')
      await hasSize(720, 640)
    })

    const second = windowAt(story, 1)
    await see('a second view opens in a window of its own and shows its payload', async () => {
      cites('window.open_view.opens', 'window.open_view.payload', 'window.hello.entry_payload')
      await inside.getByLabel('Second view').fill('Greetings from <b>here</b>')
      await press('Send postcard')
      await page.getByRole('region', { name: 'Postcard' }).waitFor()
      await second.inside.getByText('Greetings from <b>here</b>').waitFor()
      await isInFront('Postcard')
    })

    await see('opening a view that is open brings it to the front', async () => {
      cites('window.open_view.focuses')
      await second.inside.getByRole('button', { name: 'Show the first window' }).click()
      await isInFront('Hello, sun')
      await inside.getByLabel('Second view').fill('A second greeting')
      await press('Send postcard')
      await isInFront('Postcard')
      await second.inside.getByText('A second greeting').waitFor()
      equal(await page.locator('[data-window]').count(), 2)
    })

    await see('a window brings itself to the front', async () => {
      cites('window.focus.raises', 'window.focus.event', 'event.window_focus_changed')
      // Sent to the button alone: a real press would raise the window before the call does.
      await inside.getByRole('button', { name: 'Bring to front' }).dispatchEvent('click')
      await isInFront('Hello, sun')
      await call('window_focus_changed').waitFor()
    })

    await see('a method that is not declared is denied, with the line that would allow it', async () => {
      cites('design.denied_by', 'design.undeclared')
      await press('Undeclared call')
      await call(/storage\.list.*permission_denied · .*ui\.host_api\.storage/).waitFor()
    })

    await see('a reported error is read on the page', async () => {
      cites('window.report_error')
      await press('Report error')
      await page.getByRole('button', { name: /^Notices/ }).click()
      await page
        .getByRole('complementary', { name: 'Notices' })
        .getByText('Nothing is broken')
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Close Notices' }).click()
    })

    await see('the document takes on the page’s look', async () => {
      cites('theme.shell', 'theme.variables')
      const look = inside.locator('html')
      for (const [theme, surface] of [
        ['light', 'rgb(255, 255, 255)'],
        ['dark', 'rgb(26, 30, 40)'],
      ] as const) {
        await page.getByRole('button', { name: `Switch to ${theme}` }).click()
        await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
        await inside.locator(`html[data-theme="${theme}"]`).waitFor()
        equal(await look.evaluate((root) => getComputedStyle(root).colorScheme), theme)
        equal(await look.evaluate((root) => getComputedStyle(root).backgroundColor), surface)
      }
    })

    await see('closing takes the window away', async () => {
      cites('window.close.event', 'event.close_view')
      await second.inside.getByRole('button', { name: 'Close' }).dispatchEvent('click')
      await page.getByRole('region', { name: 'Postcard' }).waitFor({ state: 'detached' })
      await press('Close window')
      await frame.waitFor({ state: 'detached' })
      await page.getByText('Nothing is open').waitFor()
    })
  },
})
