/**
 * What the tool `describe_csv` answers. Two plugins give it, in Node and in Python, and the bundle shows it: for
 * equal text the two reports are equal to the last bit, so every rule that could be read in two ways stands here.
 *
 * **The table.** A row ends at LF, CRLF or a lone CR; a row with nothing but blanks on it is skipped, a byte order mark
 * at the start too. Blanks (spaces, and tabs that do not separate) around a cell are dropped. A cell that begins with
 * a quote ends at the next single quote, a doubled quote in it is one quote, and its blanks, separators and line ends
 * are its text; a quote later in a bare cell is a character like any other. The header names the columns; a column
 * without a name is called `column 3`, by its place. Each further row must have as many cells. What breaks this is a
 * failure that names the row; rows are counted from 1 with those above the header and skipped ones.
 *
 * **The separator** (`dialect.ts`). A first line as Excel has it, `sep=;`, tells it (`SEP_LINE`). Else the first
 * `SAMPLE_ROWS` rows are read with each of `SEPARATORS`, up to one that is broken so. Rows that follow each other with
 * equally many cells, at least two, are a run, and the run with the most cells in all is the table (the first among
 * equals). The separator whose table has the most rows is taken, the earlier in the list among equals, and a comma
 * where there is no run.
 *
 * **The header.** It is the first row, or the table's first row where the table has at least two rows, and a blank row
 * is above it or all rows above it are narrow or begin with `#`. A row is narrow if its last cell with a text lies in
 * the left half of the table's columns: a title, or a pair such as `Account;123`. Then also narrow rows at the top of
 * the table itself are passed over, where it has at least three columns and a row that is not narrow.
 *
 * **Decimals.** Where a comma separates, the decimal mark is a point. Else it is a comma if in some column every filled
 * cell is a {@link COMMA_NUMBER} and one has a comma. With it a column is read by {@link COMMA_NUMBER} if all its cells
 * are such, so `1.234` is 1234 there; a column that is not is read by {@link NUMBER}.
 *
 * **Texts.** They are ordered by code point. A text longer than {@link TEXT_MAX_CODE_POINTS} is cut to that length,
 * the last code point being `…`; it is counted and ordered by its whole length. Half a surrogate pair is read as U+FFFD.
 */
export type Report = {
  /** The name that the caller gave the table. */
  name: string
  /** The character between two cells. */
  separator: string
  /** The decimal mark. */
  decimal: '.' | ','
  /** Rows above the header that are no part of the table, a line `sep=;` included and blank ones not counted. */
  skipped: number
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

/** A column with something in it, all of it finite decimal numbers. Minus zero counts as zero. */
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

/**
 * Cells that are numbers with a decimal comma, in three parts: the sign, the digits, and the sign behind them that SAP
 * writes. Thousands may be grouped by one of {@link GROUP_MARKS}.
 */
export const COMMA_NUMBER =
  /^[ \t]*([+-]?)((?:[1-9][0-9]{0,2}([.'\u2019 \u00a0\u202f])[0-9]{3}(?:\3[0-9]{3})*|[0-9]+)(?:,[0-9]*)?(?:[eE][+-]?[0-9]+)?|,[0-9]+(?:[eE][+-]?[0-9]+)?)(-?)[ \t]*$/

/** What parts the thousands of a {@link COMMA_NUMBER}: a point, an apostrophe or a space of some kind. */
export const GROUP_MARKS = /[.'\u2019 \u00a0\u202f]/g

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
