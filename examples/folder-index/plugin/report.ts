/**
 * What the tool `index_folder` answers; the bundle shows it, and `check-figures.ts` works it out by other means, so
 * every rule that could be read in two ways is here.
 *
 * **The texts.** A folder's texts are its `.txt` files and those of the folders in it, in the order of their paths by
 * code unit. The first line is a text's title. Each further line that is not empty is an *entry*; where it holds
 * `: `, the entry is what follows the first one, so that `Climate: mild` is about `mild` and not about climates.
 * A *word* is a run of letters in small letters ({@link WORD}).
 */
export type Report = {
  folder: string
  /**
   * Entries, words and different words of all texts; of how many of them, from the first on, the entries and the texts
   * were compared before the time was up; and how many comparisons that took.
   */
  facts: {
    files: number
    entries: number
    words: number
    distinct: number
    compared: number
    comparisons: number
  }
  /** In the order of the texts. */
  files: FileFacts[]
  /** The words that occur most often, at most {@link WORDS_LISTED}: more often first, then by code unit. */
  words: WordFacts[]
  /** The pairs of entries that say nearly the same, at most {@link TWINS_LISTED}. */
  twins: Twin[]
}

/** One text. `like` is the text that reads most like it; of two equally alike ones the first. */
export type FileFacts = {
  /** The path below the folder, without `.txt`. */
  path: string
  title: string
  words: number
  /** The words that mark it, at most {@link MARKS_LISTED}: the greatest count × count ÷ count in all texts, then by code unit. */
  marks: string[]
  like: { file: number; share: number } | null
}

/** One word: how often it occurs, in how many texts, and where most often: `[file, count]`, at most {@link PLACES_LISTED}. */
export type WordFacts = { word: string; count: number; files: number; places: [number, number][] }

/**
 * Two entries of different texts with a share of {@link TWIN_SHARE} to 1, which is 2 × the words in common, in their
 * order, ÷ the words of both. Entries of fewer than {@link ENTRY_WORDS} words take no part, and of entries with the
 * same words only the first does. The greatest share comes first, then the one with more words, then the earlier.
 */
export type Twin = { share: number; a: TwinSide; b: TwinSide }

/** The side of a twin; a text longer than {@link TEXT_SHOWN} code units is cut, its last being `…`. */
export type TwinSide = { file: number; text: string }

/** A run of letters. */
export const WORD = /\p{L}+/gu

/** Words that say little; they are neither listed nor do they mark a text. Words of one or two letters are not either. */
export const LITTLE_WORDS: ReadonlySet<string> = new Set(
  'about after all also among and any are been between both but can each few for from had has have his into its less many more most much near not now one only other out over per several since some such than that the their then there these they this three through two under until upon very was well were when where which while who will with within without'.split(
    ' ',
  ),
)

/** Whether a word can be listed. */
export const isTelling = (word: string): boolean => word.length > 2 && !LITTLE_WORDS.has(word)

export const WORDS_LISTED = 1_500
export const PLACES_LISTED = 6
export const MARKS_LISTED = 5
export const TWINS_LISTED = 30
export const TWIN_SHARE = 0.6
export const ENTRY_WORDS = 6
export const TEXT_SHOWN = 280

/** Words of an entry, and of a text, that are compared; what follows is counted only, so that one pair never takes long. */
export const COMPARED_WORDS = 4_000

/** What the tool tells on its way. */
export type Progress = {
  stage: 'reads the texts' | 'compares the entries' | 'compares the texts'
  /** Texts of this stage that are done, of how many. */
  done: number
  of: number
  /** The text at work. */
  file: string
  /** How much of the whole work is done, 0 to 1. */
  share: number
  /** How long it has worked. */
  ms: number
}
