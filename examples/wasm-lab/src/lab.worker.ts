import { expose, isHostRpcError, svc } from '@svc/sdk/worker'
import initSqlJs from 'sql.js'
import wasm from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { type Answer, answer, FIRST_QUESTION, fillTable } from './database.ts'

// Not at the top level: a worker as Vite builds it by default has no await there.
async function open() {
  const { Database } = await initSqlJs({ locateFile: () => new URL(wasm, import.meta.url).href })
  const database = new Database()
  fillTable(database)
  return database
}
const opened = open()

const lab = {
  /** The question that was asked last, in this window or another one. */
  async lastQuestion(): Promise<string> {
    try {
      return String((await svc.storage.get({ key: 'question' })).value)
    } catch (error) {
      if (isHostRpcError(error) && error.code === 'not_found') return FIRST_QUESTION
      throw error
    }
  },
  /** Answers a question, and keeps it. */
  async ask(sql: string): Promise<Answer> {
    const answered = answer(await opened, sql)
    await svc.storage.set({ key: 'question', value: sql })
    return answered
  },
}
export type Lab = typeof lab
expose(lab)
