import { afterEach, describe, expect, it } from 'vitest'
import {
  choose,
  find,
  held,
  type OpenManagePage,
  openManagePage,
  press,
  submit,
  tab,
  text,
} from '../testing/manage-page.ts'
import { appPlugOf, installOf, listedOf, plugOf } from '../testing/manage-rows.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
}

describe('installed apps', () => {
  it('show what was allowed, also where the host tells nothing of other versions', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps')]
    })
    await tab('Apps')
    expect(text('[aria-label="What maps may do"]')).toBe('Read pages of the web through the host')
    const names = [...document.querySelectorAll('#manage li button')].map((one) => one.textContent)
    expect(names).toEqual(['Change permissions', 'Uninstall'])
  })

  it('lose what they were allowed, where they ask for nothing else', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps', { asks: { web_grant: true } })]
    })
    await tab('Apps')
    await press('Change permissions: maps')
    await choose('Read pages of the web through the host')
    await submit()
    expect(bed.manage.asked).toContain('install app_maps 1.0.0 {}')
    expect(text()).toContain('It may use only its own windows and data.')
    expect(held()?.id).toBe('install-ins_maps')
  })

  it('ask again before a destructive tool that was allowed for good', async () => {
    const mail = appPlugOf('tool-mail', { name: 'Mail' })
    const approved = [
      { tool_id: 'tool-mail', tool: 'send' },
      { tool_id: 'tool-gone', tool: 'wipe' },
      { tool_id: 'host', tool: 'storage_set' },
    ]
    await start((manage) => {
      manage.installs = [installOf('maps', { plugs: [mail], approved })]
    })
    await tab('Apps')
    expect(text()).toContain(
      'It does not ask you before it uses: send of Mail, wipe of tool-gone, storage_set of this host',
    )
    await press('Ask me again: maps')
    expect(bed.manage.asked).toContain('forget approvals app_maps')
    expect(text()).not.toContain('does not ask you')
    expect(held()?.id).toBe('install-ins_maps')
  })

  it('are updated with what is chosen of what a release asks for besides', async () => {
    const newer = {
      version: '2.0.0',
      asks: { web_grant: true, image_grant: true, upload_grant: true },
      plugs: [],
    }
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
    expect(bed.manage.asked).toContain('install app_maps 2.0.0 {"image_grant":true,"web_grant":true}')
    expect(text('[aria-label="What maps may do"]')).toContain('Have images made')
    expect(held()?.id).toBe('install-ins_maps')
  })

  it('name the plugins that they use, and those that a release would use besides', async () => {
    const sky = appPlugOf('tool-ada-sky-1', { name: 'Sky' })
    const sea = appPlugOf('tool-eve-sea-1', { kind: 'optional' })
    await start((manage) => {
      const newer = { version: '2.0.0', asks: {}, plugs: [sky, sea] }
      manage.installs = [
        installOf('maps', { grants: {}, plugs: [sky], newer }),
        installOf('bare', { grants: {} }),
      ]
    })
    await tab('Apps')
    const card = (name: string) => find(`[data-heading="install-ins_${name}"]`)?.textContent
    expect(card('maps')).toContain('Uses the plugins: Sky')
    expect(card('maps')).not.toContain('nothing beyond')
    expect(card('bare')).toContain('It may use only its own windows and data.')
    await press('Update to 2.0.0: maps')
    expect(text('#manage form')).toContain('also use these plugins: tool-eve-sea-1 (if it is there)')
    expect(text('#manage form')).not.toContain('nothing')
  })

  it.each([
    ['Sky Ltd.', true, 'Sky by Sky Ltd. (verified by this host)'],
    ['sky@evil', false, 'Sky by sky@evil (not verified)'],
  ] as const)('say who published a plugin: %s, %s', async (name, verified, words) => {
    const publisher = { name, verified }
    const terms = {
      author: 'sky@evil',
      publisher,
      version: '1.0.0',
      distribution: 'the npm package sky',
      needs: '',
      reach: '',
      digest: 'd1',
    }
    const sky = { tool_id: 'tool-sky-sky-1', kind: 'required', name: 'Sky', consent: 'asked', terms } as const
    await start((manage) => {
      manage.installs = [installOf('maps', { grants: {}, plugs: [sky] })]
      manage.others = [{ ...listedOf(plugOf('sky')), own: false, publisher }]
    })
    expect(text()).toContain(words.replace('Sky by', 'by'))
    await tab('Apps')
    expect(text()).toContain(`Not agreed to, and asked at the first use: ${words}`)
  })

  it('may be allowed what they ask for and have not', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps', { asks: { web_grant: true, image_grant: true } })]
    })
    await tab('Apps')
    await press('Change permissions: maps')
    await choose('Have images made, on your account')
    await submit()
    expect(bed.manage.asked).toContain('install app_maps 1.0.0 {"image_grant":true,"web_grant":true}')
    expect(find('#manage form')).toBeNull()
  })

  it('are uninstalled after a question', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps')]
    })
    await tab('Apps')
    await press('Uninstall maps')
    await submit()
    expect(bed.manage.installs).toEqual([])
    expect(text()).toContain('No app is installed')
  })
})
