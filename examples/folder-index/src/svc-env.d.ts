// Written by `svc types`: the tools that this app may call, as their plugins describe them.
// Do not edit it; to renew it: svc types

import type {} from '@svc/sdk'

declare module '@svc/sdk' {
  interface KnownTools {
    'folder-index': {
      /**
       * Indexes a folder of texts: its words and where they are, the entries that say nearly the same, the
       * texts that are most alike. It compares for as long as you say, and as many texts as fit into that:
       * call it as a job.
       */
      index_folder: {
        args: {
          /** A path below the data of the plugin, such as "world" or "world/europe". */
          folder: string
          /** How long to compare, 1 to 3600 seconds. Texts that do not fit are counted, not compared. */
          seconds?: number | undefined
        }
        result: {
          facts: {
            compared: number
            comparisons: number
            distinct: number
            entries: number
            files: number
            words: number
          }
          /** In the order of the texts. */
          files: {
            /** The text most like it. */
            like: {
              file: number
              /** 0 to 1. */
              share: number
            } | null
            /** The words that mark it. */
            marks: string[]
            path: string
            title: string
            words: number
          }[]
          folder: string
          /** The pairs of entries that say nearly the same. */
          twins: {
            a: {
              file: number
              text: string
            }
            b: {
              file: number
              text: string
            }
            /** 0 to 1. */
            share: number
          }[]
          /** The words that occur most often. */
          words: {
            count: number
            files: number
            /** Where it is most: [file, count]. */
            places: [number, number][]
            word: string
          }[]
        }
      }
      /** Lists the folders of texts that can be indexed, with how much is in each. */
      list_folders: {
        args: Record<string, unknown>
        result: {
          /** Every folder that can be indexed. */
          folders: {
            bytes: number
            files: number
            folder: string
          }[]
        }
      }
    }
  }
}
