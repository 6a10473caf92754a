import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import {
  button,
  choose,
  field,
  find,
  held,
  missing,
  type OpenManagePage,
  openManagePage,
  press,
  said,
  tab,
  text,
  type,
} from '../testing/manage-page.ts'
import { refusal } from '../testing/manage-rows.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
}
const pass = (ms: number) => act(() => bed.clock.pass(ms))

/** Fills the form of a tool until nothing is missing. */
async function fill(): Promise<void> {
  await press('New plugin')
  await type('name', 'weather')
  await press('Mint the tool id')
  await act(async () =>
    bed.desk.change(({ newPlug }) => {
      const { fields } = newPlug
      return {
        newPlug: {
          ...newPlug,
          fields: { ...fields, distribution: { ...fields.distribution, type: 'local' } },
        },
      }
    }),
  )
  await type('path', '/opt/weather')
  await type('manifest', '{"name": "weather", "tools": [{"name": "forecast"}]}')
}

describe('a plugin that is to be', () => {
  it('tells what is missing, and leads to each field', async () => {
    await start()
    await press('New plugin')
    expect(missing()).toEqual([
      'A name',
      'A tool id: mint one',
      'A manifest',
      'Package, for the distribution npm',
    ])
    expect(button('Create the plugin')).toBeUndefined()
    for (const [at, id] of ['name', 'mint', 'manifest', 'package_name'].entries()) {
      await press(missing()[at] ?? '')
      expect(held()?.id).toBe(`field-${id}`)
    }
  })

  it('has its id minted by the Enter key as well', async () => {
    await start()
    await press('New plugin')
    await type('name', 'weather')
    // What a browser does where Enter is pressed in a field of a form.
    await act(async () => field('name')?.form?.requestSubmit())
    expect(missing()).not.toContain('A tool id: mint one')
  })

  it('has its id minted before it is created, to be read and copied for so long', async () => {
    await start((manage, clock) => {
      manage.expiresAt = new Date(clock.now() + 65_000).toISOString()
    })
    await press('New plugin')
    await press('Mint the tool id')
    expect(held()?.id).toBe('field-name')
    await type('name', 'weather')
    await press('Mint the tool id')
    const id = held() as HTMLInputElement
    expect([id.value, id.readOnly]).toEqual(['tool-ada-weather-1', true])
    expect(text()).toContain('Reserved for you for another 1 min 5 s')
    expect(field('name')).toBeNull()
    expect(said()).toContain('Minted tool-ada-weather-1')
    await pass(2_000)
    expect(text()).toContain('Reserved for you for another 1 min 3 s')
  })

  it('asks for another id once the time of one is over, and keeps what is typed', async () => {
    await start((manage, clock) => {
      manage.expiresAt = new Date(clock.now() + 3_000).toISOString()
    })
    await fill()
    await pass(2_000)
    expect(button('Create the plugin')).toBeDefined()
    await pass(1_000)
    expect(missing()).toEqual(['A tool id that has not expired: mint another'])
    expect([field('name')?.value, field('path')?.value]).toEqual(['weather', '/opt/weather'])
    bed.manage.expiresAt = new Date(bed.clock.now() + 60_000).toISOString()
    await press('Mint another id')
    expect(missing()).toEqual([])
  })

  it('is created, and its own page has the keyboard', async () => {
    await start()
    await fill()
    expect(text('[aria-label=Capabilities]')).toContain('forecast')
    await choose('Public')
    await press('Create the plugin')
    expect(bed.manage.asked).toContain('commit drf_weather')
    expect(bed.manage.plugs).toMatchObject([
      { visibility: 'public', distribution: { type: 'local', path: '/opt/weather' } },
    ])
    expect([held()?.tagName, held()?.textContent]).toEqual(['H3', 'weather'])
    await press('All plugins')
    expect([held()?.textContent, held().dataset.tool]).toEqual(['weather', 'tool-ada-weather-1'])
    await press('New plugin')
    expect(field('name')?.value).toBe('')
  })

  it('keeps what is typed over every way about the page', async () => {
    await start()
    await fill()
    await tab('Runners')
    await tab('Plugins')
    expect(field('path')?.value).toBe('/opt/weather')
    await press('Back to the desktop')
    await press('Manage')
    expect(field('path')?.value).toBe('/opt/weather')
    await press('All plugins')
    await press('New plugin')
    expect(field('path')?.value).toBe('/opt/weather')
  })

  it('has a refusal beside its field, with the keyboard in it, until it is tried again', async () => {
    await start()
    await fill()
    bed.manage.trouble = refusal('invalid_arg', 'distribution.path must be an absolute path, got "x"', {
      path: 'distribution.path',
    })
    await press('Create the plugin')
    expect(held()).toBe(field('path'))
    expect(field('path')?.getAttribute('aria-invalid')).toBe('true')
    expect(text('[aria-label=Distribution]')).toContain('distribution.path must be an absolute path')
    await tab('Runners')
    await tab('Plugins')
    expect(text('[aria-label=Distribution]')).toContain('distribution.path must be an absolute path')
    bed.manage.trouble = null
    await press('Create the plugin')
    expect(text()).not.toContain('must be an absolute path')
  })

  it('describes itself, or says why nobody can ask it', async () => {
    await start()
    await press('New plugin')
    await press('Describe now')
    expect(held()?.id).toBe('field-package_name')
    await type('package_name', 'weather')
    await press('Describe now')
    expect(text('[role=alert]')).toBe('agent_unavailable No runner of this user is online. Start one.')
    bed.manage.described = { name: 'weather', tools: [{ name: 'forecast', parameters: [] }] }
    await press('Describe now')
    expect(field('manifest')?.value).toContain('"forecast"')
    expect(find('[role=alert]')).toBeNull()
  })

  it('is read from a file that is dropped', async () => {
    await start()
    await press('New plugin')
    const drop = (file: File) =>
      act(async () => {
        const event = new Event('drop', { bubbles: true, cancelable: true })
        Object.assign(event, { dataTransfer: { files: [file] } })
        find('[aria-label=Manifest]')?.dispatchEvent(event)
        await bed.clock.pass(0)
      })
    await drop(new File(['{"name": "dropped"}'], 'manifest.json'))
    expect(field('manifest')?.value).toBe('{"name": "dropped"}')
    await drop(new File(['x'.repeat(262_145)], 'big.json'))
    expect(text('[aria-label=Manifest]')).toContain('big.json has 262145 bytes')
    expect(field('manifest')?.value).toBe('{"name": "dropped"}')
  })

  it('asks for other fields with another type, and a skill for its README alone', async () => {
    await start()
    await press('New plugin')
    await choose('Skill: a README, no process')
    expect([find('[aria-label=Distribution]'), button('Describe now')]).toEqual([null, undefined])
    expect(missing()).toEqual(['A name', 'A tool id: mint one', 'A README, which is the skill itself'])
  })
})
