import { restoreFolder } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { openProgress } from '../../terminal/progress.ts'

/** The command that makes a data folder of a file, under one of its two names. */
function readingCommand(name: 'restore' | 'import', description: string) {
  return defineCommand({
    meta: { name, description },
    args: {
      file: { type: 'positional', required: true, description: 'A file of svc data backup or export.' },
      ...dataArgs,
      data: { ...dataArgs.data, description: 'The data folder to make: empty, or not there yet.' },
    },
    async run({ args: { data, file, json } }) {
      const progress = openProgress(`svc: reading ${file}`)
      await withData(restoreFolder(file, data, { onProgress: progress.show })).finally(progress.end)
      console.log(json ? JSON.stringify({ ok: true, data }) : `${data} has the state of ${file}.`)
    },
  })
}

/** `svc data restore FILE`: a data folder as it was. */
export const restore = readingCommand(
  'restore',
  'Makes a data folder of a backup. It is there whole or not at all; an old folder is never touched.',
)

/** `svc data import FILE`: the same of the file of another driver. */
export const importData = readingCommand(
  'import',
  'The same as svc data restore, whichever driver wrote the file.',
)
