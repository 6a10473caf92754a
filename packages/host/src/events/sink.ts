/** Where the bytes of one stream go: a front makes it of what it has. */
export interface Sink {
  /** Takes bytes, always; `false` says that enough wait, and that `drained` will be called. */
  write(bytes: Uint8Array): boolean
  /** Bytes taken that the reader has not. */
  readonly waiting: number
  /** Ends the stream behind what waits. */
  end(): void
  /** Cuts the connection; what waits is dropped. */
  destroy(): void
}

/** What a front tells its stream. */
export interface Source {
  /** The sink takes more. */
  drained(): void
  /** The reader went away; twice is harmless. */
  gone(): void
}
