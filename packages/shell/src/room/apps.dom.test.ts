import { afterEach, describe, expect, it } from 'vitest'
import { installOf } from '../manage/manage-api-for-tests.ts'
import {
  button,
  choose,
  find,
  held,
  type OpenRoom,
  openRoom,
  press,
  submit,
  tab,
  text,
} from './room-for-tests.ts'

let room: OpenRoom
afterEach(() => room.close())

async function start(...prepared: Parameters<typeof openRoom>): Promise<void> {
  room = await openRoom(...prepared)
}

describe('installed apps', () => {
  it('show what was allowed, also where the host tells nothing of other versions', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps')]
    })
    await tab('Apps')
    expect(text('[aria-label="What maps may do"]')).toBe('Read pages of the web through the host')
    expect(button('Uninstall maps')).toBeDefined()
    expect(document.querySelectorAll('#room li button')).toHaveLength(1)
  })

  it('are updated with what is chosen of what a release asks for besides', async () => {
    const newer = { version: '2.0.0', asks: { web_grant: true, image_grant: true, upload_grant: true } }
    await start((manage) => {
      manage.installs = [installOf('maps', { newer })]
    })
    await tab('Apps')
    await press('Update to 2.0.0: maps')
    const boxes = () =>
      [...document.querySelectorAll<HTMLInputElement>('form input[type=checkbox]')].map(
        ({ checked }) => checked,
      )
    expect(boxes()).toEqual([false, false, true])
    await choose('Have images made, on your account')
    expect(boxes()).toEqual([true, false, true])
    await submit()
    expect(room.manage.asked).toContain('install app_maps 2.0.0 {"image_grant":true,"web_grant":true}')
    expect(text('[aria-label="What maps may do"]')).toContain('Have images made')
    expect(held()?.id).toBe('install-ins_maps')
  })

  it('may be allowed what they ask for and have not', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps', { asks: { web_grant: true, image_grant: true } })]
    })
    await tab('Apps')
    await press('Change what it may do: maps')
    await choose('Have images made, on your account')
    await submit()
    expect(room.manage.asked).toContain('install app_maps 1.0.0 {"image_grant":true,"web_grant":true}')
    expect(find('#room form')).toBeNull()
  })

  it('are uninstalled after a question', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps')]
    })
    await tab('Apps')
    await press('Uninstall maps')
    await submit()
    expect(room.manage.installs).toEqual([])
    expect(text()).toContain('No app is installed')
  })
})
