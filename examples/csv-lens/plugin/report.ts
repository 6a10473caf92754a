/**
 * What the tool `describe_csv` answers. Two plugins give it, in Node and in Python, and the bundle shows it: for
 * equal text the two reports are equal to the last bit, so every rule that could be read in two ways stands here.
 *
 * **The table.** Cells are parted by commas. A row ends at LF, CRLF or a lone CR; a row with nothing on it is
 * skipped, a byte order mark at the start too. A cell that begins with a quote ends at the next single quote, and a
 * doubled quote in it is one quote; a quote later in a bare cell is a character like any other. The first row names
 * the columns; a column without a name is called `column 3`, by its place. Each further row must have as many cells.
 * What breaks this is a failure that names the row; rows are numbered as a spreadsheet does, the header being row 1
 * and skipped rows counted.
 *
 * **Texts.** They are ordered by code point. A text longer than {@link TEXT_MAX_CODE_POINTS} is cut to that length,
 * the last code point being `…`; it is counted and ordered by its whole length. Half a surrogate pair is read as U+FFFD.
 */
export type Report = {
  /** The name that the caller gave the table. */
  name: string
  /** Rows below the header, skipped ones not counted. */
  rows: number
  /** In the order of the header, at most {@link COLUMNS_MAX}. */
  columns: Column[]
}

/** One column; `kind` tells which figures it has. */
export type Column = NumberColumn | TextColumn

type Counts = {
  /** The header's cell. */
  name: string
  /** Cells that hold something. */
  count: number
  /** Cells that hold no character; `count + empty` is the table's `rows`. */
  empty: number
  /** Different texts among the cells that hold something, as written: `1` and `1.0` are two. */
  distinct: number
  /** The most frequent texts, at most {@link TOP_VALUES}: more often first, then the smaller text first. */
  top: Frequency[]
}

/** A cell's text as written, and how many cells have it. */
export type Frequency = { value: string; count: number }

/** A column with something in it, all of it finite decimal numbers ({@link NUMBER}). Minus zero counts as zero. */
export type NumberColumn = Counts & {
  kind: 'number'
  min: number
  max: number
  /**
   * The sum, rounded once, divided by the count. `null` where the larger of |min| and |max|, times the count, is
   * past the range of a double: the sum might be too.
   */
  mean: number | null
  /**
   * First quartile, median, third quartile. With the values sorted as v[0] … v[n-1] and h = (n - 1) × p, it is v[h]
   * for whole h, else a × (1 - f) + b × f of the two neighbours a, b, f being the fraction of h (a where a = b).
   */
  quartiles: [number, number, number]
  histogram: Histogram
}

/** Any other column; one that holds nothing has `null` for `min` and `max`. */
export type TextColumn = Counts & {
  kind: 'text'
  min: string | null
  max: string | null
  mean: null
  quartiles: null
  histogram: null
}

/**
 * {@link HISTOGRAM_BINS} bins of equal width from the least to the greatest value, or one bin where these are equal.
 * Bin i counts the values from `edges[i]` on and below `edges[i + 1]`, the last bin those on its upper edge too, so
 * `counts` is one shorter than `edges` and adds up to the column's `count`. `edges[i]` is min × (1 - i/n) + max × i/n
 * rounded to {@link EDGE_DIGITS} significant digits, ties away from zero, and held between the edge before and max.
 */
export type Histogram = { edges: number[]; counts: number[] }

/** Cells that are numbers; spaces and tabs around are allowed, and what it matches must also be finite. */
export const NUMBER = /^[ \t]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*$/

/** Most frequent values listed for a column. */
export const TOP_VALUES = 5

/** Bins of a histogram whose values differ. */
export const HISTOGRAM_BINS = 16

/** Digits of an inner edge: enough for any double of 15 digits, and 11.85 does not become 11.850000000000001. */
export const EDGE_DIGITS = 15

/** Columns that a table may have; with {@link TEXT_MAX_CODE_POINTS} it keeps any report below 4 MiB of JSON. */
export const COLUMNS_MAX = 500

/** Code points of a text in the report, the mark of a cut included. */
export const TEXT_MAX_CODE_POINTS = 120
