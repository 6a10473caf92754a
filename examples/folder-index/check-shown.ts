import { deepEqual, equal } from 'node:assert/strict'
import type { windowAt } from '@svc/conformance/story'
import type { Report } from './plugin/report.ts'

type Inside = ReturnType<typeof windowAt>['inside']

/** Words that the page shows at once. */
const WORDS_SHOWN = 12

/** Reads the index off the page: texts as they are written, figures with all their digits. */
export async function readShown(inside: Inside) {
  const listed = (selector: string, pick: string) =>
    inside
      .locator(selector)
      .evaluateAll(
        (elements, part) =>
          elements.map((element) =>
            [...element.querySelectorAll(part)].map((one) => one.getAttribute('value') ?? one.textContent),
          ),
        pick,
      )
  return {
    folder: await inside.locator('#report-name').textContent(),
    words: await listed('#words li', '.word, data'),
    twins: await listed('#twins li', 'data, strong, q'),
    texts: await listed('#texts tr', 'th, data, .tag'),
  }
}

/** Holds what is shown against a report that was worked out independently. */
export function agreesWith(shown: Awaited<ReturnType<typeof readShown>>, right: Report): void {
  const titleOf = (file: number) => right.files[file]?.title
  equal(shown.folder, right.folder)
  deepEqual(
    shown.words,
    right.words
      .slice(0, WORDS_SHOWN)
      .map(({ word, count, places }) => [word, `${count}`, ...places.map(([, here]) => `${here}`)]),
  )
  deepEqual(
    shown.twins,
    right.twins.map(({ share, a, b }) => [
      `${share}`,
      ...[a, b].flatMap(({ file, text }) => [titleOf(file), text]),
    ]),
  )
  deepEqual(
    shown.texts,
    right.files.map(({ title, words, marks, like }) => [
      title,
      `${words}`,
      ...marks,
      ...(like ? [`${like.share}`] : []),
    ]),
  )
}
