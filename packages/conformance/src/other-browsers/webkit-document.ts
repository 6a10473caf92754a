import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { StoryFile } from '../story-page.ts'
import { ELEMENT, type Session } from './webdriver.ts'

const EACH_MS = 30

interface Outcome {
  readonly value?: unknown
  readonly error?: string
  readonly isBare?: boolean
}

/** What a function of a story threw in the page: trying it again would not help. */
class PageError extends Error {}

/** What the documents of a page are driven with. */
interface Parts {
  /** The script of `in-page.ts`. */
  readonly inPage: string
  /** A folder for files that a story hands over. */
  readonly dir: string
  /** The longest wait. */
  readonly waitMs: number
}

/** Runs scripts in the documents of a page, one after the other, as WebDriver is in one document at a time. */
export function openDocuments(session: Session, { inPage, dir, waitMs }: Parts) {
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  async function runHere(source: string, args: readonly unknown[]): Promise<unknown> {
    const script = `const [args, done] = arguments
      if (!globalThis.svcStory) done({ isBare: true })
      else (async () => (${source})(globalThis.svcStory, ...args))()
        .then((value) => done({ value }), (error) => done({ error: String(error) }))`
    const ask = async () =>
      (await session.send('POST', '/execute/async', { script, args: [args] })) as Outcome
    let outcome = await ask()
    if (outcome.isBare) {
      await session.send('POST', '/execute/sync', { script: inPage, args: [] })
      outcome = await ask()
    }
    if (outcome.error !== undefined) throw new PageError(outcome.error)
    return outcome.value
  }

  /** Goes into the document that is reached by iframes, from the page on. */
  async function enter(frames: readonly string[]): Promise<void> {
    await session.send('POST', '/frame', { id: null })
    for (const frame of frames) {
      const id = await runHere('(story, frame) => story.one(frame)', [frame])
      if (!id) throw new Error(`there is no ${frame}`)
      await session.send('POST', '/frame', { id })
    }
  }

  return {
    inTurn,
    /** Where the files of a story are on disk. */
    pathsOf(files: readonly StoryFile[]): string[] {
      const folder = mkdtempSync(join(dir, 'files-'))
      return files.map(({ name, buffer }) => {
        writeFileSync(join(folder, name), buffer)
        return join(folder, name)
      })
    },
    /** Runs a function, given as its source, in a document; it gets the finder of elements and `args`. */
    run: (frames: readonly string[], source: string, args: readonly unknown[]): Promise<unknown> =>
      inTurn(async () => {
        await enter(frames)
        return await runHere(source, args)
      }),
    /** Finds an element in the same way and sends commands to it; false where there is none. */
    command: (
      frames: readonly string[],
      source: string,
      args: readonly unknown[],
      commands: readonly (readonly [string, object])[],
    ): Promise<boolean> =>
      inTurn(async () => {
        await enter(frames)
        const found = (await runHere(source, args)) as Readonly<Record<string, string>> | null
        if (found)
          for (const [name, body] of commands)
            await session.send('POST', `/element/${found[ELEMENT]}/${name}`, body)
        return found !== null
      }),
    /**
     * Tries until something comes to true. A document that loads meanwhile, or an element that has just gone, is one more try.
     *
     * @throws after the time of one wait, with the last failure.
     */
    async until(what: string, attempt: () => Promise<boolean>): Promise<void> {
      const end = performance.now() + waitMs
      let cause: unknown
      while (performance.now() < end) {
        try {
          if (await attempt()) return
          cause = undefined
        } catch (error) {
          if (error instanceof PageError) throw error
          cause = error
        }
        await setTimeout(EACH_MS)
      }
      throw new Error(`waited ${waitMs} ms for ${what}`, { cause })
    },
  }
}

/** What `openDocuments` returns. */
export type Documents = ReturnType<typeof openDocuments>
