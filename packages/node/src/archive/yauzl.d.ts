/** The part of yauzl 3.4 that is used here; the package ships no types. */
declare module 'yauzl' {
  export interface Entry {
    readonly fileName: string
    readonly fileNameRaw: Buffer
    readonly versionMadeBy: number
    readonly generalPurposeBitFlag: number
    readonly compressionMethod: number
    readonly crc32: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly externalFileAttributes: number
    readonly relativeOffsetOfLocalHeader: number
  }
  export interface LocalFileHeader {
    readonly fileDataStart: number
    readonly generalPurposeBitFlag: number
    readonly compressionMethod: number
    readonly crc32: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly fileName: Buffer
  }
  export interface ZipFile {
    readonly entryCount: number
    readonly comment: string
    eachEntry(): AsyncIterable<Entry>
    readLocalFileHeaderPromise(entry: Entry): Promise<LocalFileHeader>
    close(): void
  }
  export function fromBufferPromise(
    bytes: Buffer,
    options: { readonly strictFileNames: boolean },
  ): Promise<ZipFile>
}
