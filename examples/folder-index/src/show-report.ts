import type { FileFacts, Report, Twin, TwinSide, WordFacts } from '../plugin/report.ts'
import { byId } from './by-id.ts'
import { commonWords, type Piece } from './common-words.ts'
import { findWords } from './find-words.ts'
import { formatCount, formatShare } from './format.ts'
import { make } from './make.ts'

/** Words that are shown at once. */
const WORDS_SHOWN = 12

/** Shows an index: its words, which can be searched, its twins, its texts. `focus` leads the user to it. */
export function showReport(report: Report, { focus = false } = {}): void {
  const locale = document.documentElement.lang
  const { files, words, distinct, compared, comparisons } = report.facts
  byId('report-name').textContent = report.folder
  byId('report-facts').textContent = [
    compared === files
      ? `${formatCount(files, locale)} texts`
      : `${formatCount(files, locale)} texts, the first ${formatCount(compared, locale)} compared before the time was up`,
    `${formatCount(words, locale)} words, ${formatCount(distinct, locale)} different`,
    `${formatCount(comparisons, locale)} comparisons`,
  ].join(' · ')

  const find = byId('find', HTMLInputElement)
  find.value = ''
  find.oninput = () => showWords(report, find.value, locale)
  showWords(report, '', locale)
  byId('twins').replaceChildren(...report.twins.map((twin) => twinOf(twin, report.files, locale)))
  byId('texts').replaceChildren(...report.files.map((file) => textOf(file, report.files, locale)))
  byId('report').hidden = false
  // What scrolls must be in reach of the keyboard.
  for (const id of ['twins', 'scroll']) byId(id).tabIndex = 0
  if (!focus) return
  byId('report-name').focus({ preventScroll: true })
  byId('report').scrollIntoView()
}

function showWords({ words, files }: Report, typed: string, locale: string): void {
  const found = findWords(words, typed)
  const shown = found.slice(0, WORDS_SHOWN)
  const most = Math.max(1, ...shown.map(({ count }) => count))
  byId('found').textContent =
    found.length === 0
      ? `None of the ${formatCount(words.length, locale)} most frequent words contains “${typed.trim()}”.`
      : `${formatCount(shown.length, locale)} of ${formatCount(found.length, locale)}`
  byId('words').replaceChildren(...shown.map((word) => wordOf(word, most, files, locale)))
}

function wordOf(
  { word, count, files: inTexts, places }: WordFacts,
  most: number,
  files: readonly FileFacts[],
  locale: string,
): HTMLElement {
  const where = places.map(([file, times]) =>
    make(
      'span',
      { className: 'place' },
      titleOf(file, files),
      make('data', { value: String(times) }, formatCount(times, locale)),
    ),
  )
  const item = make(
    'li',
    {},
    make('strong', { className: 'word' }, word),
    make('data', { value: String(count), className: 'count' }, formatCount(count, locale)),
    make('span', { className: 'soft' }, `in ${formatCount(inTexts, locale)} texts`),
    make('span', { className: 'places' }, ...where),
  )
  item.style.setProperty('--share', String(count / most))
  return item
}

function twinOf({ share, a, b }: Twin, files: readonly FileFacts[], locale: string): HTMLElement {
  const [left, right] = commonWords(a.text, b.text)
  return make(
    'li',
    {},
    make('data', { value: String(share), className: 'share' }, formatShare(share, locale)),
    sideOf(a, left, files),
    sideOf(b, right, files),
  )
}

/** One side of a twin; the words that only it has are marked. */
const sideOf = ({ file }: TwinSide, pieces: readonly Piece[], files: readonly FileFacts[]) =>
  make(
    'p',
    {},
    make('strong', {}, titleOf(file, files)),
    ' ',
    make('q', {}, ...pieces.map(({ text, common }) => (common ? text : make('mark', {}, text)))),
  )

function textOf({ title, path, words, marks, like }: FileFacts, files: readonly FileFacts[], locale: string) {
  return make(
    'tr',
    {},
    make('th', { scope: 'row', title: path }, title),
    make('td', { className: 'figure' }, make('data', { value: String(words) }, formatCount(words, locale))),
    make('td', {}, ...marks.map((mark) => make('span', { className: 'tag' }, mark))),
    make(
      'td',
      {},
      ...(like === null
        ? ['–']
        : [
            `${titleOf(like.file, files)} `,
            make('data', { value: String(like.share), className: 'soft' }, formatShare(like.share, locale)),
          ]),
    ),
  )
}

const titleOf = (file: number, files: readonly FileFacts[]) => files[file]?.title ?? ''
