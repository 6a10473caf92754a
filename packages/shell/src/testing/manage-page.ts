import { act } from 'react'
import { type StillClock, settled } from './clock.ts'
import type { FakeManage } from './manage-api.ts'
import { find, type OpenPage, openPage, press, submitForm, textOf, typeInto } from './page.ts'

export { button, find, held, press, said } from './page.ts'

/** The page with Manage open. */
export interface OpenManagePage extends OpenPage {
  readonly manage: FakeManage
}

/** Opens it. `prepare` puts things on the host first. */
export async function openManagePage(
  prepare: (manage: FakeManage, clock: StillClock) => void = () => undefined,
): Promise<OpenManagePage> {
  const page = await openPage((host, clock) => prepare(host.manage, clock))
  await press('Manage')
  return { ...page, manage: page.host.manage }
}

/** What is in an element; in Manage where none is named. */
export const text = (selector = '#manage') => textOf(selector)
/** The element of a field. */
export const field = (id: string) => find<HTMLInputElement>(`#field-${id}`)
/** Goes to a tab. */
export const tab = (name: string) =>
  act(async () => {
    const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
    tabs.find((one) => one.textContent === name)?.click()
    await settled()
  })

/** Types into a field. */
export const type = (id: string, value: string) => typeInto(field(id), value)

/** What the page says is missing yet. */
export const missing = () =>
  [...document.querySelectorAll('[aria-label="Still missing"] button')].map((one) => one.textContent)

/** Sends the form that is open; `name`: the one of that name. */
export const submit = (name?: string) =>
  submitForm(`#manage form[${name === undefined ? 'aria-label' : `aria-label="${name}"`}]`)

/** Chooses a radio or a check box by its label. */
export const choose = (label: string) =>
  act(async () =>
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.click(),
  )
