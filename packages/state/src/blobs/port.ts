/** Bytes kept under their SHA-256 digest: bundles, uploads, archives, images. */
export interface Blobs {
  /** Keeps a copy of `bytes` and returns its digest, 64 lower-case hex digits. The same bytes are kept once. */
  put(bytes: Uint8Array): Promise<string>
  /** The bytes, for reading only; `null` for a digest that is unknown or malformed. */
  get(digest: string): Promise<Uint8Array | null>
  /**
   * The bytes from `from` up to `to`, which is not among them, for reading only; fewer where they end before. A
   * driver reads no more than these. `null` as with `get`.
   */
  slice(digest: string, from: number, to: number): Promise<Uint8Array | null>
  /** Forgets the bytes; says whether they were there. */
  remove(digest: string): Promise<boolean>
  /** Drops everything; twice is harmless. */
  close(): Promise<void>
}
