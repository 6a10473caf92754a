import type { Verdict } from '../../checks/check.ts'
import type { AppCheck, Bench } from '../bench.ts'
import { bounds } from '../bounds.ts'
import { named } from '../complaints.ts'
import { cutOff } from '../cut-off.ts'
import type { Stage } from '../stage.ts'
import { tryApp } from '../try-app.ts'
import { work } from '../work.ts'

const noAxe: Verdict = {
  kind: 'left_out',
  why: 'axe-core is not installed: npm install --save-dev axe-core',
}

/** That nothing is cut off in a narrow window, nor where text is twice as large. */
export const narrowCheck: AppCheck = {
  id: 'app.narrow',
  name: 'fits into 320 pixels, and text of 200 %',
  hint: 'Let rows wrap, give boxes max-width: 100% and min-width: 0, use rem for text, and let tables scroll in a box of their own.',
  async run(bench) {
    return tryApp(bench, 'app.narrow', { viewport: bounds.NARROW }, async (stage) => {
      const { frame, page } = stage
      const look = async (when: string) => named(await frame.evaluate(cutOff, bounds.NAMED), when)
      const start = await look('320 pixels wide')
      await work(bench, stage)
      if (stage.isClosed()) return { problems: start }
      const working = await look('320 pixels wide, at work')
      await page.setViewportSize(bounds.LARGE_TEXT)
      await frame.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      return { problems: [...start, ...working, ...(await look('with text of 200 %'))] }
    })
  },
}

/** Finds what axe-core says of the app before and after it was brought to work. */
async function atStartAndWork(bench: Bench, stage: Stage, find: () => Promise<string[]>): Promise<string[]> {
  const start = await find()
  await work(bench, stage)
  const working = stage.isClosed() ? [] : await find()
  return [...new Set([...start, ...working])]
}

/** That text can be read in a light and in a dark page. */
export const darkCheck: AppCheck = {
  id: 'app.dark',
  name: 'can be read in light and in dark',
  hint: 'followTheme of @svc/sdk/theme follows the page; take colours from @svc/sdk/theme.css, or check yours in both themes.',
  async run(bench) {
    const { axe } = bench
    if (!axe) return noAxe
    return tryApp(bench, 'app.dark', {}, async (stage) => {
      const { frame, page, window } = stage
      const find = async () => {
        const found: string[] = []
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme })
          await window.evaluate((win, theme) => win.setContext({ theme, locale: 'en', focused: true }), theme)
          await frame.evaluate(settleStyles)
          found.push(...(await axe(frame, 'contrast')).map((problem) => `${theme}: ${problem}`))
        }
        return found
      }
      return { problems: await atStartAndWork(bench, stage, find) }
    })
  },
}

/**
 * Lets styles of a new theme arrive, and ends their transitions. It runs in the document. axe-core takes a document without
 * a background for white, also where its colour scheme makes it dark.
 */
async function settleStyles(): Promise<void> {
  const { documentElement: root, body } = document
  const isClear = (element: Element) => getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)'
  if (isClear(root) && isClear(body)) root.style.backgroundColor = 'Canvas'
  for (let turn = 0; turn < 2; turn++) await new Promise(requestAnimationFrame)
  for (const animation of document.getAnimations()) {
    const { iterations } = animation.effect?.getComputedTiming() ?? {}
    if (iterations !== Number.POSITIVE_INFINITY) animation.finish()
  }
}
