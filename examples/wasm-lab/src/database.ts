import type { Database, SqlValue } from 'sql.js'

/** What a question came to: the names of its columns, and its first rows. */
export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly SqlValue[][]
  /** Whether there are more rows than these. */
  readonly isCut: boolean
}

/** The most rows that are shown. */
export const ROWS_MAX = 500

/** The question that a new user sees. */
export const FIRST_QUESTION = `SELECT city, COUNT(*) AS rides, ROUND(AVG(minutes), 1) AS minutes
FROM rides GROUP BY city ORDER BY rides DESC`

const cities = ['Basel', 'Ghent', 'Lyon', 'Porto', 'Turin']

/** Fills the table that questions are about: 50 000 rides, the same each time. */
export function fillTable(database: Database): void {
  database.run('CREATE TABLE rides (id INTEGER PRIMARY KEY, city TEXT, minutes INTEGER, day TEXT)')
  database.run('BEGIN')
  const insert = database.prepare('INSERT INTO rides (city, minutes, day) VALUES (?, ?, ?)')
  for (let n = 0; n < 50_000; n++) {
    const day = new Date(Date.UTC(2026, 0, 1 + (n % 365))).toISOString().slice(0, 10)
    insert.run([cities[(n % 7) % cities.length] ?? 'Basel', 5 + ((n * 7_919) % 56), day])
  }
  insert.free()
  database.run('COMMIT')
}

/** Answers a question with its first rows. @throws Error what SQLite says of it. */
export function answer(database: Database, sql: string): Answer {
  const statement = database.prepare(sql)
  try {
    const rows: SqlValue[][] = []
    while (rows.length <= ROWS_MAX && statement.step()) rows.push(statement.get())
    return {
      columns: statement.getColumnNames(),
      rows: rows.slice(0, ROWS_MAX),
      isCut: rows.length > ROWS_MAX,
    }
  } finally {
    statement.free()
  }
}
