/** A file of the shell page. */
export interface PageFile {
  /** The bytes. */
  readonly bytes: Uint8Array
  /** Their media type. */
  readonly type: string
}

/** Answers the page at `/` and its files by their paths. */
export type PageFiles = (path: string) => PageFile | null | Promise<PageFile | null>
