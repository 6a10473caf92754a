import { equal, match, notEqual } from 'node:assert/strict'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'

await tellStory({
  start: (more) => startHarness({ dirs: [import.meta.dirname], ...more }),
  async tell(story) {
    const { page, see } = story
    await signIn(story, 'ada')

    /** What a user does in one of the windows, which is brought to the front for it. */
    const useWindow = (place: number) => {
      const { frame, inside } = windowAt(story, place)
      const text = inside.getByLabel('Text of the note')
      const conflict = inside.locator('#conflict')
      // By the keyboard: the title bar that takes the focus brings its window to the front.
      const raise = () => frame.getByRole('button').first().focus()
      const press = async (name: string) => {
        await raise()
        await inside.getByRole('button', { name, exact: true }).click()
      }
      const state = (sentence: string | RegExp) =>
        inside.locator('#state').getByText(sentence, { exact: true }).waitFor()
      return {
        frame,
        inside,
        conflict,
        press,
        state,
        etag: () => inside.locator('#etag').textContent(),
        names: () => inside.locator('.entry-name').allTextContents(),
        add: async (name: string) => {
          await raise()
          await inside.getByLabel('Name of a new note').fill(name)
          await inside.getByLabel('Name of a new note').press('Enter')
          await inside.getByRole('heading', { name, exact: true }).waitFor()
        },
        open: async (name: string) => {
          await raise()
          await inside.getByRole('navigation').getByRole('button', { name }).click()
          await inside.getByRole('heading', { name, exact: true }).waitFor()
        },
        write: async (lines: string) => {
          await raise()
          await text.fill(lines)
          await state('Not saved')
        },
        save: async () => {
          await press('Save')
          await state('Saved')
        },
        shows: async (lines: string) => {
          await text.and(inside.locator(':enabled')).waitFor()
          equal(await text.inputValue(), lines)
        },
        differing: async (side: 'mine' | 'theirs') => {
          await conflict.getByRole('heading', { name: 'This note was changed in another window' }).waitFor()
          return conflict.locator(`#${side} mark`).allTextContents()
        },
      }
    }

    await openApp(story, 'Notes')
    const first = useWindow(0)
    await see('there is no note to begin with', () => first.inside.getByText('No notes yet.').waitFor())

    await see('a note is added, written and saved; its version is shown', async () => {
      cites('storage.backend.persistent', 'storage.set.result.persistent')
      await first.add('Groceries')
      const empty = await first.etag()
      await first.write('Bread\nMilk\nApples\nCoffee')
      await first.save()
      match((await first.etag()) ?? '', /^"\d+-/)
      notEqual(await first.etag(), empty)
      await page.getByRole('region', { name: 'Groceries – Notes' }).waitFor()
      await first.inside.getByRole('navigation').getByText('Bread', { exact: true }).waitFor()
      await first.add('Garden plan')
      await first.open('Groceries')
    })

    await openApp(story, 'Notes')
    const second = useWindow(1)
    await see('a second window of the app shows the same note', async () => {
      await second.open('Groceries')
      await second.shows('Bread\nMilk\nApples\nCoffee')
      equal(await second.etag(), await first.etag())
    })

    await see('who saves second sees both texts, with the lines that differ', async () => {
      cites('storage.set.if_match')
      await first.write('Rye bread\nMilk\nApples\nCoffee')
      await second.write('Bread\nMilk\nApples\nCoffee\nTea')
      await first.save()
      await second.press('Save')
      equal((await second.differing('mine')).join(), 'Bread,Tea')
      equal((await second.differing('theirs')).join(), 'Rye bread')
    })

    await see('merged by hand, both changes are kept', async () => {
      await second.press('Merge by hand')
      await second.state('Merged, not saved')
      await second.shows('Rye bread\nMilk\nApples\nCoffee\nTea')
      // A window without changes would read what is stored when it is looked at.
      await first.write('Only honey')
      await second.save()
    })

    await see('the stored text is taken, and the own one let go', async () => {
      await first.press('Save')
      await first.press('Use the stored one')
      await first.state('Saved')
      await first.shows('Rye bread\nMilk\nApples\nCoffee\nTea')
      equal(await first.etag(), await second.etag())
    })

    await see('the own text is kept, over the version that was shown', async () => {
      await second.write('Rice')
      await first.write('Beans')
      await second.save()
      await first.press('Save')
      equal((await first.differing('theirs')).join(), 'Rice')
      await first.press('Keep mine')
      await first.state('Saved')
      notEqual(await first.etag(), await second.etag())
      await second.open('Garden plan')
      await second.open('Groceries')
      await second.shows('Beans')
    })

    await see('a window with unsaved text asks before it closes', async () => {
      await first.open('Garden plan')
      await second.write('Almost lost')
      await page.getByRole('button', { name: 'Close Groceries – Notes' }).click()
      await second.inside.getByText('This note has changes that are not saved.').waitFor()
      await second.press('Save and close')
      await second.frame.waitFor({ state: 'detached' })
    })

    await see('notes outlive their windows', async () => {
      await page.getByRole('button', { name: 'Close Garden plan – Notes' }).click()
      await page.getByText('Nothing is open').waitFor()
      await openApp(story, 'Notes')
      await first.open('Groceries')
      await first.shows('Almost lost')
      equal((await first.names()).join(), 'Garden plan,Groceries')
    })
  },
})
