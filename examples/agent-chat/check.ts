import { deepEqual, equal, match } from 'node:assert/strict'
import { startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'
import { kilometresBetween } from './check-figures.ts'
import { haltingModel } from './check-model.ts'

const { model, halt, halfOf, goOn } = haltingModel()
const long = Array.from({ length: 60 }, (_, at) => `${at + 1} bottles on the wall.`).join(' ')
const whole = `[svc-dev, the development model] You said: ${long}`
const half = halfOf(whole)
/** A square of 2 × 2 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGP4z8Dwn4GBgQEADPwB/+ZDcSkAAAAASUVORK5CYII=',
  'base64',
)
const RUNS = 10

await tellStory({
  start: (more) =>
    startHarness({
      dirs: [import.meta.dirname],
      ...more,
      host: { ...more.host, models: { default: { model, vision: true } }, quotas: { runs_per_day: RUNS } },
    }),
  async tell(story) {
    const { page, see } = story
    await signIn(story, 'ada')

    /** What a user does in one of the windows. */
    const useWindow = (place: number) => {
      const { frame, inside } = windowAt(story, place)
      const text = inside.getByLabel('Your message')
      const answers = inside.locator('.answer')
      const chats = inside.getByRole('navigation', { name: 'Chats' })
      return {
        frame,
        inside,
        text,
        answers,
        chats,
        send: async (message: string) => {
          await text.fill(message)
          await text.press('Enter')
        },
        /** Waits until no answer is under way. */
        idle: () => inside.getByRole('button', { name: 'Send', exact: true }).waitFor(),
        lastAnswer: () => answers.last().locator('.said').first().textContent(),
        /** Waits until the last answer has come as far as where it halts, and sees that it is under way. */
        halfway: async () => {
          await answers.last().getByText(half, { exact: true }).waitFor()
          await inside.getByRole('button', { name: 'Stop' }).waitFor()
        },
        raise: () => frame.getByRole('button').first().focus(),
      }
    }

    await openApp(story, 'Agent chat')
    const first = useWindow(0)
    const question = 'How far is it from Lisbon to Tokyo?'
    await see('there is no chat to begin with, and a press on the first question calls a tool', async () => {
      await first.inside.getByText('No chats yet.').waitFor()
      await first.inside.getByRole('button', { name: question }).click()
      const result = first.answers.last().locator('.tool').getByLabel('Result of distance')
      equal(
        JSON.parse((await result.textContent()) ?? '').km,
        kilometresBetween('Europe/Lisbon', 'Asia/Tokyo'),
      )
      await first.idle()
      await first.inside.getByRole('button', { name: 'New chat' }).click()
    })

    await see('an answer comes piece by piece, and says that the development model gave it', async () => {
      halt()
      await first.send(long)
      await first.halfway()
      goOn()
      await first.idle()
      equal(await first.lastAnswer(), whole)
      equal(await first.inside.getByRole('status').last().textContent(), whole)
    })

    await see('the development model calls a tool; arguments and result are shown', async () => {
      cites('session.tools.names')
      await first.inside.getByRole('button', { name: 'Call distance' }).click()
      match(
        await first.text.inputValue(),
        /^\/call tool-local-atlas-\w+\.distance \{"from":"Lisbon","to":"Tokyo"\}$/,
      )
      await first.text.press('Enter')
      const card = first.answers.last().locator('.tool')
      await card.getByText('answered').waitFor()
      deepEqual(JSON.parse((await card.getByLabel('Arguments of distance').textContent()) ?? ''), {
        from: 'Lisbon',
        to: 'Tokyo',
      })
      deepEqual(JSON.parse((await card.getByLabel('Result of distance').textContent()) ?? ''), {
        from: 'Europe/Lisbon',
        to: 'Asia/Tokyo',
        km: kilometresBetween('Europe/Lisbon', 'Asia/Tokyo'),
      })
      await first.answers
        .last()
        .getByText(/The tool answered: \{"from":.*"km":/)
        .waitFor()
      await first.idle()
    })

    await see('a tool that fails is shown with what it says', async () => {
      cites('session.tools.failure')
      const line = await first.inside.getByRole('button', { name: 'Call distance' }).getAttribute('title')
      await first.send((line ?? '').replace('Tokyo', 'Atlantis'))
      await first.answers
        .last()
        .locator('.tool.failed')
        .getByText(/^tool_failed: .*"Atlantis"/)
        .waitFor()
      await first.idle()
    })

    await see('Escape stops an answer: what it said stays, and is marked', async () => {
      cites('design.sdk.run.partial')
      halt()
      await first.send(long)
      await first.halfway()
      await first.text.press('Escape')
      await first.answers.last().getByText('Cut off here.').waitFor()
      await first.idle()
      goOn()
      equal(await first.lastAnswer(), half)
    })

    await see('a reload of the bundle in the middle of an answer ends with the same text', async () => {
      cites('design.sdk.run.reload', 'design.stream.attach')
      halt()
      await first.send(long)
      await first.halfway()
      await first.inside.locator('html').evaluate((old) => {
        old.dataset.old = ''
        location.reload()
      })
      await first.inside.locator('html:not([data-old])').waitFor()
      await first.halfway()
      goOn()
      await first.idle()
      equal(await first.lastAnswer(), whole)
    })

    await see('a reload of the page in the middle of an answer ends with the same text', async () => {
      cites('design.sdk.run.reload')
      halt()
      await first.send(long)
      await first.halfway()
      await page.reload()
      await first.halfway()
      goOn()
      await first.idle()
      equal(await first.lastAnswer(), whole)
      equal(await first.answers.count(), 6)
      equal(await first.inside.getByText('Cut off here.').count(), 1)
    })

    await see('an image is attached, shown and seen by the model', async () => {
      const file = { name: 'square.png', mimeType: 'image/png', buffer: png }
      await first.inside.locator('#files').setInputFiles([file, { ...file, name: 'other.png' }])
      await first.inside.getByRole('button', { name: 'Remove other.png' }).click()
      await first.inside.getByRole('img', { name: 'square.png' }).waitFor()
      await first.send('What is on it?')
      await first.idle()
      equal(
        await first.lastAnswer(),
        '[svc-dev, the development model] You said: What is on it? (with 1 file)',
      )
      await first.inside.getByRole('img', { name: 'Image 1 of 1' }).waitFor()
    })

    await see('a file that is not an image is refused readably', async () => {
      await first.inside
        .locator('#files')
        .setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: png }])
      await first.inside.getByRole('alert').getByText('a.txt is not an image that can be sent').waitFor()
    })

    await see('another chat is begun, and both are listed', async () => {
      cites('session.list.result')
      await first.inside.getByRole('button', { name: 'New chat' }).click()
      await first.inside.getByText('Ask about places').waitFor()
      await first.send('Good morning')
      await first.idle()
      equal(await first.answers.count(), 1)
      deepEqual(await first.chats.locator('.entry-name').allTextContents(), [
        'Good morning',
        `${long.slice(0, 59)}…`,
        question,
      ])
    })

    await openApp(story, 'Agent chat')
    const second = useWindow(1)
    await see('another window resumes a chat, with its tools and its stopped answer', async () => {
      cites('decision.cancel.partial')
      await second.chats.getByRole('button', { name: /^1 bottles/ }).click()
      await second.answers.nth(6).waitFor()
      await second.inside.getByText('Cut off here.').waitFor()
      equal(await second.answers.nth(1).getByLabel('Result of distance').count(), 1)
      equal(await second.answers.nth(3).locator('.said').textContent(), half)
      equal(await second.answers.nth(5).locator('.said').textContent(), whole)
    })

    await see('a chat that was deleted in another window says so, and a new one goes on', async () => {
      await first.raise()
      await first.chats.getByRole('button', { name: 'Delete 1 bottles' }).click()
      await first.chats.getByText('1 bottles').waitFor({ state: 'detached' })
      await second.raise()
      await second.send('Are you there?')
      await second.inside.locator('[data-code=APP_SESSION_REVOKED]').waitFor()
      equal(await second.text.inputValue(), 'Are you there?')
      await second.inside.getByRole('button', { name: 'Continue in a new chat' }).click()
      await second.idle()
      await second.answers.getByText('You said: Are you there?').waitFor()
    })

    await see('a quota that is used up is told with the time when it is free again', async () => {
      await second.send('One too many')
      const alert = second.inside.getByRole('alert')
      await second.inside.locator('[data-code=APP_QUOTA_EXCEEDED]').waitFor()
      await alert.getByText(`runs_per_day is ${RUNS}`).waitFor()
      await alert.locator('time').waitFor()
      equal(await second.text.inputValue(), 'One too many')
    })
  },
})
