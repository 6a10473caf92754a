import { expectTypeOf, it } from 'vitest'
import type { SvcWindow } from '../svc-window.ts'
import type { SvcWindowElement, SvcWindowTrouble } from './svc-window-element.ts'

/** Never called: its types are the test. */
const hears = (element: SvcWindowElement) => {
  element.addEventListener('error', ({ detail }) => expectTypeOf(detail.error).toBeUnknown())
  element.addEventListener('title', ({ detail }) => expectTypeOf(detail.title).toBeString())
  element.addEventListener('open', ({ detail }) => expectTypeOf(detail.window).toEqualTypeOf<SvcWindow>())
  element.addEventListener('close', ({ detail }) =>
    expectTypeOf(detail.reason).toEqualTypeOf<string | null>(),
  )
  element.addEventListener('lost', ({ detail }) => expectTypeOf(detail.window).toEqualTypeOf<SvcWindow>())
  element.addEventListener('trouble', ({ detail }) =>
    expectTypeOf(detail.trouble).toEqualTypeOf<SvcWindowTrouble | null>(),
  )
  element.addEventListener('click', (event) => expectTypeOf(event).toEqualTypeOf<PointerEvent>())
  element.addEventListener('mine', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
}

it('types the events of <svc-window> by their names', () => {
  expectTypeOf(hears).toBeFunction()
  expectTypeOf<HTMLElementTagNameMap['svc-window']>().toEqualTypeOf<SvcWindowElement>()
})
