import { blobReferences } from '@svc/host'
import { checkFolder, type FolderReport } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { countText } from '../../terminal/amount.ts'
import { exitCodes } from '../../terminal/failure.ts'
import { print } from '../../terminal/print.ts'
import { openProgress } from '../../terminal/progress.ts'
import { typed } from '../../terminal/typed.ts'

/** `svc data check`: whether everything in a data folder is as it was written. */
export const check = defineCommand({
  args: dataArgs,
  async run({ args }) {
    const progress = openProgress(`svc: checking ${args.data}`)
    const work = checkFolder(args.data, { namedBlobs: blobReferences, onProgress: progress.show })
    const report = await withData(work).finally(progress.end)
    const ok = report.found === 0
    print(args.json ? JSON.stringify({ ok, ...report }) : say(args.data, report))
    if (!ok) process.exitCode = exitCodes.failed
  },
})

function say(dir: string, { problems, found, records, items, blobs, unnamedBlobs }: FolderReport): string {
  const amounts = [countText(records, 'record'), countText(items, 'journal item'), countText(blobs, 'blob')]
  const left =
    unnamedBlobs === null || unnamedBlobs === 0
      ? []
      : [`  ${countText(unnamedBlobs, 'blob')} without a record, left by a write that was cut off: harmless`]
  const more = found > problems.length ? [`  … and ${found - problems.length} more`] : []
  const verdict =
    found === 0
      ? ['  everything is as it was written']
      : [
          ...problems.map((problem) => `  ✗ ${problem}`),
          ...more,
          typed(
            `  ${countText(found, 'problem')}. Restore the last good backup into an empty folder: svc data restore FILE --data DIR`,
          ),
        ]
  return [`${dir}: ${amounts.join(', ')}`, ...left, ...verdict].join('\n')
}
