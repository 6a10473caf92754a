import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../bundle.ts'
import type { OpenPage, StoryPage } from '../story-page.ts'
import { openSession } from './webdriver.ts'
import { openDocuments } from './webkit-document.ts'
import { scopeAt } from './webkit-locator.ts'

/** Opens the page of a story in WebKit; closing it closes the browser. */
export async function openWebkitPage(
  size: { readonly width: number; readonly height: number },
  waitMs: number,
): Promise<OpenPage> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-webkit-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const inPage = await bundle(join(import.meta.dirname, 'in-page.ts'), { format: 'iife', minify: true })
  const session = await openSession(dir).catch((error: unknown) => {
    remove()
    throw error
  })
  await session.send('POST', '/timeouts', { pageLoad: waitMs, script: waitMs })
  const documents = openDocuments(session, { inPage, dir, waitMs })
  const within = (await session.send('POST', '/execute/sync', {
    script: 'return [outerWidth - innerWidth, outerHeight - innerHeight]',
    args: [],
  })) as [number, number]
  await session.send('POST', '/window/rect', {
    x: 0,
    y: 0,
    width: size.width + within[0],
    height: size.height + within[1],
  })
  const page: StoryPage = {
    ...scopeAt(documents, { frames: [], selector: '' }),
    goto: (url) => documents.inTurn(() => session.send('POST', '/url', { url })),
    reload: () => documents.inTurn(() => session.send('POST', '/refresh', {})),
  }
  return {
    page,
    sent: [],
    complaints: [],
    changeScripts: () => Promise.reject(new Error('WebDriver changes no responses')),
    async texts() {
      const textOf = (frames: readonly string[]) =>
        documents.run(frames, '() => document.body.innerText', []) as Promise<string>
      const count = await page.locator('iframe').count()
      const inside = Array.from({ length: count }, (_, at) => textOf([`iframe >> nth=${at}`]))
      return await Promise.all([textOf([]), ...inside])
    },
    async close() {
      await session.close()
      remove()
    },
  }
}
