import type { Frame } from 'playwright-core'
import { bounds } from './bounds.ts'
import { loadFirst } from './load.ts'

/** Rules of axe-core: those of contrast, or all others of WCAG 2 A and AA. */
export type AxeRules = 'contrast' | 'others'

/** What axe-core finds wrong with the document in a frame, a sentence each. */
export type Axe = (frame: Frame, rules: AxeRules) => Promise<string[]>

/** The parts of axe-core that are used, here and in the document. */
interface AxeModule {
  readonly source: string
  run(options: object): Promise<AxeResults>
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly {
      readonly target: readonly string[]
      readonly any: readonly { readonly message: string }[]
      readonly html: string
    }[]
  }[]
}

const CONTRAST = 'color-contrast'
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Loads the axe-core of the app's folder, or that of svc; `null`: neither has one. */
export async function loadAxe(dir: string): Promise<Axe | null> {
  const module = await loadFirst<AxeModule>(['axe-core'], dir)
  if (!module) return null
  return async (frame, rules) => {
    await frame.evaluate(`${module.source};null`)
    const found = await frame.evaluate(
      async ({ contrast, tags, rules }) => {
        const { axe } = globalThis as unknown as { axe: AxeModule }
        const options =
          rules === 'contrast'
            ? { runOnly: [contrast] }
            : { runOnly: { type: 'tag', values: tags }, rules: { [contrast]: { enabled: false } } }
        const { violations } = await axe.run({ ...options, iframes: false })
        return violations.flatMap(({ id, help, nodes }) =>
          nodes.map(({ target, any }) => `${target.join(' ')}: ${any[0]?.message ?? help} (${id})`),
        )
      },
      { contrast: CONTRAST, tags: TAGS, rules },
    )
    const more = found.length - bounds.NAMED
    return more > 0 ? [...found.slice(0, bounds.NAMED), `${more} more of the kind`] : found
  }
}
