/** One line of an export: a record, or a piece of the bytes of the record before it. */
export interface DataLine {
  /** The name of the collection; of bytes, that and `.bytes`. */
  readonly kind: string
  readonly id: string
  readonly [field: string]: unknown
}

/** What is done with all that a user has, by the layers that keep it. */
export interface UserData {
  /** Closes his windows and ends his sessions with their runs; with `jobs` his jobs too. `reason` is told. */
  end(userId: string, reason: string, and: { readonly jobs: boolean }): Promise<void>
  /** Cancels his jobs of an app, ends its sessions, and waits for what is under way of it. */
  endInstall(userId: string, appId: string): Promise<void>
  /** Ends what is under way of him, and drops every row of his with its bytes. */
  erase(userId: string): Promise<void>
  /** All that is kept of him, a record or a piece of its bytes at a time. */
  export(userId: string): AsyncIterable<DataLine>
}
