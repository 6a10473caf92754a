import initSqlJs from 'sql.js'
import { expect, it } from 'vitest'
import { answer, FIRST_QUESTION, fillTable, ROWS_MAX } from './database.ts'

const { Database } = await initSqlJs()

it('answers questions with their first rows', () => {
  const database = new Database()
  fillTable(database)
  const first = answer(database, FIRST_QUESTION)
  expect([first.columns, first.rows.length, first.isCut]).toEqual([['city', 'rides', 'minutes'], 5, false])
  const all = answer(database, 'SELECT * FROM rides')
  expect([all.rows.length, all.isCut]).toEqual([ROWS_MAX, true])
  expect(() => answer(database, 'SELECT colour FROM rides')).toThrow('no such column: colour')
  database.close()
})
