import { pause } from '@svc/node'
import type { Page, StoreRecord } from './port.ts'

/**
 * Does something with every record of a scan, page by page, and leaves others their turn between two pages. One that
 * fails keeps no other from it; the first failure is thrown at the end.
 */
export async function eachDue<Row>(
  scan: (after: string | null) => Promise<Page<Row>>,
  take: (record: StoreRecord<Row>) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (let after: string | null = null; ; ) {
    const page: Page<Row> = await scan(after)
    for (const record of page.rows) await take(record).catch((error: unknown) => failures.push(error))
    if (page.next === null) break
    after = page.next
    await pause()
  }
  if (failures.length > 0) throw failures[0]
}
