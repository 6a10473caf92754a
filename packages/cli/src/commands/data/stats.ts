import { type FolderStats, folderStats } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { bytesText } from '../../terminal/amount.ts'
import { print } from '../../terminal/print.ts'
import { table } from '../../terminal/table.ts'

/** `svc data stats`: what is in a data folder. */
export const stats = defineCommand({
  args: dataArgs,
  async run({ args: { data, json } }) {
    const found = await withData(folderStats(data))
    print(json ? JSON.stringify({ ok: true, ...found }) : say(found))
  },
})

function say({ collections, journals, blobs, files }: FolderStats): string {
  const rows = collections.map(({ name, rows, bytes }) => [name, String(rows), bytesText(bytes)])
  const others = [
    ['journals', `${journals.count}, ${journals.items} items`, bytesText(journals.bytes)],
    ['blobs', String(blobs.count), bytesText(blobs.bytes)],
    ['svc.db on disk', '', bytesText(files['svc.db'])],
    ['journals.db on disk', '', bytesText(files['journals.db'])],
  ]
  return [table(['collection', 'rows', 'bytes'], rows), '', table(['', 'count', 'bytes'], others)].join('\n')
}
