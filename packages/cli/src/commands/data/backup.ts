import { backupFolder } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { bytesText, countText } from '../../terminal/amount.ts'
import { openProgress } from '../../terminal/progress.ts'

/** The command that writes a data folder into a file, under one of its two names. */
function writingCommand(name: 'backup' | 'export', description: string) {
  return defineCommand({
    meta: { name, description },
    args: {
      file: { type: 'positional', required: true, description: 'The file to write; nothing is overwritten.' },
      ...dataArgs,
    },
    async run({ args: { data, file, json } }) {
      const progress = openProgress(`svc: writing ${file}`)
      const done = await withData(backupFolder(data, file, { onProgress: progress.show })).finally(
        progress.end,
      )
      const { records, items, blobs, bytes } = done
      if (json) console.log(JSON.stringify({ ok: true, file, ...done }))
      else
        console.log(
          `${file}: ${bytesText(bytes)} with ${countText(records, 'record')}, ${countText(items, 'journal item')}, ${countText(blobs, 'blob')}. Keep it as safe as a password: it has the secret of tokens.`,
        )
    },
  })
}

/** `svc data backup FILE`: a copy of a data folder, while a host may use it. */
export const backup = writingCommand(
  'backup',
  'Writes a data folder into one file, while a host may use it: a tar of JSON lines and blobs.',
)

/** `svc data export FILE`: the same file, for another driver. */
export const exportData = writingCommand(
  'export',
  'The same as svc data backup: a backup is in the format that every driver reads.',
)
