import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/**
 * What axe finds wrong with a page, one sentence a rule; the documents of bundles are their makers' own.
 *
 * @param rules Default: all.
 */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await axe.run({ iframes: false, ...(only && { runOnly: only }) })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, rules)
}

/** What axe finds in a page of the shell that is light, and of its colours where it is dark; it is light afterwards. */
export async function axeInBoth(page: Page): Promise<string[]> {
  const light = await axeFindings(page)
  await paint(page, 'dark')
  const dark = await axeFindings(page, ['color-contrast'])
  await paint(page, 'light')
  return [...light, ...dark.map((finding) => `dark: ${finding}`)]
}

/** Gives the page a colour scheme, and ends what lets its colours pass over. */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn++) await new Promise(requestAnimationFrame)
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish()
  })
}
