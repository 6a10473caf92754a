// Written by `svc types`: the tools that this app may call, as their plugins describe them.
// Do not edit it; to renew it: svc types

import type {} from '@svc/sdk'

type CsvStatsDescribeCsvResultNumberColumn = {
  histogram: {
    counts: number[]
    edges: number[]
  }
  kind: 'number'
  max: number
  /** Null where the sum might be past the range of a double. */
  mean: number | null
  min: number
  /** First quartile, median, third quartile. */
  quartiles: [number, number, number]
} & CsvStatsDescribeCsvResultCounts

type CsvStatsDescribeCsvResultTextColumn = {
  histogram: null
  kind: 'text'
  max: string | null
  mean: null
  min: string | null
  quartiles: null
} & CsvStatsDescribeCsvResultCounts

type CsvStatsDescribeCsvResultCounts = {
  /** Cells that hold something. */
  count: number
  /** Different texts among the cells that hold something. */
  distinct: number
  /** Cells that hold no character. */
  empty: number
  /** The header's cell. */
  name: string
  /** The most frequent texts. */
  top: {
    count: number
    value: string
  }[]
}

type CsvStatsPythonDescribeCsvResultNumberColumn = {
  histogram: {
    counts: number[]
    edges: number[]
  }
  kind: 'number'
  max: number
  /** Null where the sum might be past the range of a double. */
  mean: number | null
  min: number
  /** First quartile, median, third quartile. */
  quartiles: [number, number, number]
} & CsvStatsPythonDescribeCsvResultCounts

type CsvStatsPythonDescribeCsvResultTextColumn = {
  histogram: null
  kind: 'text'
  max: string | null
  mean: null
  min: string | null
  quartiles: null
} & CsvStatsPythonDescribeCsvResultCounts

type CsvStatsPythonDescribeCsvResultCounts = {
  /** Cells that hold something. */
  count: number
  /** Different texts among the cells that hold something. */
  distinct: number
  /** Cells that hold no character. */
  empty: number
  /** The header's cell. */
  name: string
  /** The most frequent texts. */
  top: {
    count: number
    value: string
  }[]
}

declare module '@svc/sdk' {
  interface KnownTools {
    'csv-stats': {
      /** Describes each column of a CSV table: counts, range, mean, quartiles, most frequent values. */
      describe_csv: {
        args: {
          /** The table as text, its columns named by a header and separated by a comma, a semicolon, a tab or |. */
          csv: string
          /**
           * What to call the table in the report.
           *
           * Default: "table.csv"
           */
          name?: string | undefined
        }
        result: {
          /** In the order of the header. */
          columns: (CsvStatsDescribeCsvResultNumberColumn | CsvStatsDescribeCsvResultTextColumn)[]
          /** The decimal mark. */
          decimal: '.' | ','
          /** The name that the caller gave the table. */
          name: string
          /** Rows below the header, skipped ones not counted. */
          rows: number
          /** The character between two cells. */
          separator: string
          /** Rows above the header that are no part of the table. */
          skipped: number
        }
      }
    }
    'csv-stats-python': {
      /** Describes each column of a CSV table: counts, range, mean, quartiles, most frequent values. */
      describe_csv: {
        args: {
          /** The table as text, its columns named by a header and separated by a comma, a semicolon, a tab or |. */
          csv: string
          /**
           * What to call the table in the report.
           *
           * Default: "table.csv"
           */
          name?: string | undefined
        }
        result: {
          /** In the order of the header. */
          columns: (CsvStatsPythonDescribeCsvResultNumberColumn | CsvStatsPythonDescribeCsvResultTextColumn)[]
          /** The decimal mark. */
          decimal: '.' | ','
          /** The name that the caller gave the table. */
          name: string
          /** Rows below the header, skipped ones not counted. */
          rows: number
          /** The character between two cells. */
          separator: string
          /** Rows above the header that are no part of the table. */
          skipped: number
        }
      }
    }
  }
}
