import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Request, runBatch, type Verbs } from './batches.ts'

describe('a batch', () => {
  let db: DatabaseSync
  let undone: number
  let verbs: Verbs

  beforeEach(() => {
    db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE kept (n INTEGER PRIMARY KEY CHECK (n < 100))')
    undone = 0
    const add = db.prepare('INSERT INTO kept (n) VALUES (?)')
    const count = db.prepare('SELECT count(*) AS found FROM kept')
    verbs = {
      verbs: {
        add: { run: (n: number) => Number(add.run(n).changes), writes: db },
        count: { run: () => count.get()?.found },
        isInside: { run: () => db.isTransaction },
      },
      undone: () => {
        undone += 1
      },
    }
  })
  afterEach(() => db.close())

  const rows = () =>
    db
      .prepare('SELECT n FROM kept ORDER BY n')
      .all()
      .map((row) => row.n)
  const requests = (...asked: [verb: string, ...args: unknown[]][]) =>
    asked.map(([verb, ...args], at): Request => [at, verb, args])

  it('runs its verbs in order in one transaction, and commits it', () => {
    expect(runBatch(requests(['add', 1], ['count'], ['add', 2], ['count'], ['isInside']), verbs)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 2],
      [4, true],
    ])
    expect([db.isTransaction, rows(), undone]).toEqual([false, [1, 2], 0])
  })

  it('opens no transaction for reads', () => {
    expect(runBatch(requests(['count'], ['isInside']), verbs)).toEqual([
      [0, 0],
      [1, false],
    ])
  })

  it('has a verb that fails fail alone: the others are done and what it wrote is not', () => {
    const replies = runBatch(requests(['add', 1], ['add', 100], ['add', 2], ['add', 1], ['add', 3]), verbs)
    expect(replies.map(([number, , failure]) => [number, failure?.code ?? 'done'])).toEqual([
      [0, 'done'],
      [1, 'bug'],
      [2, 'done'],
      [3, 'bug'],
      [4, 'done'],
    ])
    expect([db.isTransaction, rows()]).toEqual([false, [1, 2, 3]])
    expect(undone).toBeGreaterThan(0)
  })

  it('refuses a verb that there is not', () => {
    const [reply] = runBatch(requests(['drop']), verbs)
    expect(reply?.[2]).toMatchObject({
      code: 'bug',
      message: expect.stringContaining('there is no verb drop'),
    })
  })
})
