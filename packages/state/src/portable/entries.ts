/** The format of archives that this version writes, and the highest that it reads. */
export const FORMAT = 1

/** The names of the files in the archive of a state, in their order. */
export const names = {
  state: 'svc-state.json',
  part: (folder: 'records' | 'journals', number: number): string =>
    `${folder}/${String(number).padStart(6, '0')}.ndjson`,
  blob: (digest: string): string => `blobs/${digest}`,
  secret: 'secret',
  /** The check sums of the files before it that are not blobs, as `sha256sum -c` reads them. */
  sums: 'SHA256SUMS',
} as const

/** Bytes of a part; a longer line has one to itself. */
export const PART_BYTES = 8_388_608
/** Bytes of one line of a part. */
export const LINE_BYTES = 67_108_864
/** How deep the JSON of a line may nest; deeper, it could not be written again. */
export const LINE_LEVELS = 4_096
/** Bytes of the first file and of the secret. */
export const SMALL_BYTES = 65_536

/** A line of the check sums. */
export const sumLine = (digest: string, name: string): string => `${digest}  ${name}\n`
