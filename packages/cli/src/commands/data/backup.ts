import { backupFolder } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { bytesText, countText } from '../../terminal/amount.ts'
import { openProgress } from '../../terminal/progress.ts'

/** `svc data backup FILE`, or `export`: a copy of a data folder, while a host may use it. */
export const backup = defineCommand({
  args: {
    file: { type: 'positional', required: true, description: 'The file to write; nothing is overwritten.' },
    ...dataArgs,
  },
  async run({ args: { data, file, json } }) {
    const progress = openProgress(`svc: writing ${file}`)
    const done = await withData(backupFolder(data, file, { onProgress: progress.show })).finally(progress.end)
    const { records, items, blobs, bytes } = done
    if (json) console.log(JSON.stringify({ ok: true, file, ...done }))
    else
      console.log(
        `${file}: ${bytesText(bytes)} with ${countText(records, 'record')}, ${countText(items, 'journal item')}, ${countText(blobs, 'blob')}. Keep it as safe as a password: it has the secret of tokens.`,
      )
  },
})
