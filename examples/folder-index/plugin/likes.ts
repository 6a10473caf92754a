import type { FileFacts } from './report.ts'

/** Finds for each text the one that is most like it; of two equally alike ones the first. */
export function collectLikes(texts: number) {
  const likes: FileFacts['like'][] = Array.from({ length: texts }, () => null)

  function consider(file: number, other: number, share: number): void {
    const best = likes[file]
    if (share > 0 && (!best || share > best.share || (share === best.share && other < best.file)))
      likes[file] = { file: other, share }
  }

  return {
    take(share: number, first: number, second: number): void {
      consider(first, second, share)
      consider(second, first, share)
    },
    of: (file: number): FileFacts['like'] => likes[file] ?? null,
  }
}
