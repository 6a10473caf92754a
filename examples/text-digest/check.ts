import { deepEqual, equal, match } from 'node:assert/strict'
import { type Harness, startHarness } from '@svc/cli/harness'
import { cites } from '@svc/conformance/cites'
import { openApp, signIn, tellStory, windowAt } from '@svc/conformance/story'
import { behaviours, openFakeProvider } from '@svc/conformance/testing/fake-provider'
import { devModel } from '@svc/host'

/** As models answer: polite, fenced, a key in a spelling of its own, a list of objects. */
const polite = [
  'Of course! Here is the digest:\n```json\n{"title": "The end of Krakatoa", ',
  '"summary": "A volcano blew up. Its waves killed <b>many</b>.", "keyPoints": ["It was heard far away", "Sunsets were red"], ',
  '"people": [{"name": "James Wallis", "role": "heard it"}], "places": ["Sunda Strait"], "dates": ["27 August 1883"]}\n```',
]

const provider = await openFakeProvider()
/** A host whose model is at the provider, set up as an operator does it. */
let other: Harness | undefined

await tellStory({
  start: (more) =>
    startHarness({
      dirs: [import.meta.dirname],
      ...more,
      host: { ...more.host, models: { default: { model: devModel() } } },
    }),
  async tell(story) {
    const { page, see } = story
    const { inside } = windowAt(story, 0)
    const button = (name: string) => inside.getByRole('button', { name, exact: true })
    const heading = (name: string) => inside.getByRole('heading', { name, exact: true })
    const textOf = (id: string) => inside.locator(`#${id}`).textContent()

    /** Everything under a name of the digest. */
    const shown = (name: string) =>
      inside.locator('dt').filter({ hasText: name }).locator('+ dd').locator('li').allTextContents()

    async function digest(text: string): Promise<void> {
      await inside.getByLabel('Text to digest').fill(text)
      await inside.getByLabel('Text to digest').press('Control+Enter')
    }

    await signIn(story, 'ada')
    await openApp(story, 'Text digest')

    await see(
      'with the development model it says so, and picks what it can from the text itself',
      async () => {
        await button('Use the sample').click()
        await inside.getByText(/^1,\d{3} characters/).waitFor()
        await button('Digest').click()
        await inside.getByText('No model read this text.').waitFor()
        match((await textOf('field-summary')) ?? '', /^On 26 and 27 August 1883 the volcano Krakatoa/)
        deepEqual(await shown('Dates'), ['27 August 1883', '1927'])
        match((await textOf('said')) ?? '', /^\[svc-dev, the development model\] You said: Digest the text/)
        match(
          (await textOf('usage')) ?? '',
          /^svc-dev · [\d,]+ tokens in, [\d,]+ out, [\d,]+ in all · \d+\.\d s$/,
        )
      },
    )

    process.env.SVC_LLM_BASE_URL = provider.url
    process.env.SVC_LLM_MODEL = 'fake-1'
    other = await startHarness({ dirs: [import.meta.dirname] })
    await page.goto(other.startUrl)
    await signIn(story, 'ada')
    await openApp(story, 'Text digest')

    await see('a model’s polite answer is read into its fields, as texts', async () => {
      provider.behave(behaviours.answers(polite))
      await digest('Krakatoa, 1883.')
      await heading('The end of Krakatoa').waitFor()
      equal(await textOf('field-summary'), 'A volcano blew up. Its waves killed <b>many</b>.')
      deepEqual(await shown('Key points'), ['It was heard far away', 'Sunsets were red'])
      deepEqual(await shown('People'), ['James Wallis: heard it'])
      deepEqual(await shown('Dates'), ['27 August 1883'])
      equal(await inside.locator('#said').isVisible(), false)
    })

    await see('the model was sent the text, and told its name and tokens', async () => {
      cites('llm.complete.result')
      const [request] = provider.requests
      equal(request?.body.model, 'fake-1')
      match(JSON.stringify(request?.body.messages), /key_points.*-----\\nKrakatoa, 1883\.\\n-----/)
      match((await textOf('usage')) ?? '', /^fake-1\S* · 11 tokens in, 7 out, 18 in all · \d+\.\d s$/)
    })

    await see('Escape cancels, and the host lets go of the model', async () => {
      provider.behave(behaviours.hangs)
      await digest('Krakatoa for ever.')
      const request = await provider.arrived(1)
      await button('Cancel').press('Escape')
      await inside.getByText('Cancelled: nothing was digested.').waitFor()
      equal(await request.ended, true)
      equal(await inside.locator('#digest').isVisible(), false)
      equal(await inside.getByLabel('Text to digest').inputValue(), 'Krakatoa for ever.')
    })
  },
})
await Promise.all([other?.close(), provider.close()])
