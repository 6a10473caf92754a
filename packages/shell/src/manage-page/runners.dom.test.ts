import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import {
  button,
  find,
  held,
  type OpenManagePage,
  openManagePage,
  press,
  said,
  submit,
  tab,
  text,
  type,
} from '../testing/manage-page.ts'
import { runnerOf } from '../testing/manage-rows.ts'
import { READ_TAB_MS } from './lists.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
}
const pass = (ms: number) => act(() => bed.clock.pass(ms))

describe('runners', () => {
  it('are shown as they are, and said when they come or go', async () => {
    await start((manage) => {
      manage.runners = [runnerOf('desk')]
    })
    await tab('Runners')
    for (const part of ['online', 'linux-x64, Node v24.1.0', 'npm, local', '1 of 3 jobs, 2 calls', 'now'])
      expect(text('[data-runner]')).toContain(part)
    bed.manage.runners = [runnerOf('desk', { state: 'offline' })]
    await pass(READ_TAB_MS.runners)
    expect(text('[data-runner]')).toContain('offline')
    await pass(1_000)
    expect(said()).toContain('desk is offline')
  })

  it('say whether plugins run isolated there', async () => {
    const told = { platform: 'linux-x64', node: 'v24.1.0', installs: [] }
    await start((manage) => {
      manage.runners = [
        runnerOf('desk', { machine: { ...told, isolation: { walls: true, problem: null } } }),
        runnerOf('mac', { machine: { ...told, isolation: { walls: false, problem: 'macOS has none' } } }),
      ]
    })
    await tab('Runners')
    expect(text('[data-runner=rnr_desk]')).toContain('plugins run isolated')
    expect(text('[data-runner=rnr_mac]')).toContain('no isolation: macOS has none')
  })

  it('are enrolled with a token that is shown once', async () => {
    await start()
    await tab('Runners')
    await press('Enrol a machine')
    await submit()
    expect(held()?.id).toBe('field-name')
    await type('name', 'desk')
    button('Enrol a machine')?.focus()
    await submit()
    expect((held() as HTMLInputElement).value).toBe('svcr_desk')
    expect(text()).toContain('SVC_RUNNER_TOKEN')
    expect(find<HTMLInputElement>('input[value^="svc runner --host"]')?.value).toMatch(
      / --token-file ~\/\.svc-token$/,
    )
    const list = find('ul[aria-label="Your runners"]') as HTMLElement
    const box = find('section[aria-label="Token of desk"]')
    expect(box?.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await press('I have kept the token')
    expect(document.body.innerHTML).not.toContain('svcr_desk')
    expect(held()?.id).toBe('field-name')
    expect(text('[data-runner]')).toContain('desk')
  })

  it('are revoked after a question', async () => {
    await start((manage) => {
      manage.runners = [runnerOf('desk')]
    })
    await tab('Runners')
    await press('Revoke desk')
    expect(held()?.textContent).toBe('Keep it')
    button('Revoke it')?.focus()
    await submit('Revoke desk')
    expect(bed.manage.runners).toEqual([])
    expect(held()?.getAttribute('role')).toBe('tabpanel')
  })
})
