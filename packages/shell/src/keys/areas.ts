/** A part of the page between which F6 leads, and where the keyboard begins in it. */
interface Area {
  readonly place: string
  readonly start: string
}

/** The parts of the page, in the order of F6; those that are not on the page now are left out. */
const areas = {
  top: { place: 'header', start: 'button' },
  apps: { place: '#apps', start: 'button' },
  windows: { place: '#windows', start: 'button' },
  desktop: { place: '#desktop', start: '[data-front] [id^="grip-"]' },
  manage: { place: '#manage', start: 'h2' },
  panel: { place: '#panel', start: '[tabindex="0"]' },
  tasks: { place: '#tasks', start: 'button' },
  notices: { place: '#new-notices', start: 'button' },
} as const satisfies Record<string, Area>

/** The name of a part of the page. */
export type AreaName = keyof typeof areas

function startOf({ place, start }: Area): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(place)?.querySelector<HTMLElement>(start) ?? null
  return element?.closest('[inert]') ? null : element
}

/** Gives the keyboard to a part of the page, once it is drawn; to the first of these that is there. */
export function focusArea(...names: readonly AreaName[]): void {
  requestAnimationFrame(() => {
    const start = names.map((name) => startOf(areas[name])).find((element) => element !== null)
    start?.focus()
  })
}

/** Gives the keyboard to the next part of the page, or with -1 to the one before. */
export function goToArea(step: 1 | -1): void {
  const present = Object.values(areas).filter((area) => startOf(area) !== null)
  const at = present.findIndex(({ place }) => document.activeElement?.closest(place))
  const next =
    present[at === -1 && step === -1 ? present.length - 1 : (at + step + present.length) % present.length]
  if (next) startOf(next)?.focus()
}
