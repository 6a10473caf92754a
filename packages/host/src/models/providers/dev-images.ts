import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { EmbeddingModelV4, ImageModelV4, ImageModelV4CallOptions } from '@ai-sdk/provider'
import { DEV_MODEL } from './dev-model.ts'

const DIMENSIONS = 64

/**
 * The embeddings of the development model: each word points one way, a text where its words point together. Texts
 * with words in common are near each other; it knows nothing of their meaning.
 */
export function devEmbedding(): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'svc',
    modelId: DEV_MODEL,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    async doEmbed({ values }) {
      const words = values.map((value) => value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      return { embeddings: words.map(vectorOf), usage: { tokens: words.flat().length }, warnings: [] }
    },
  }
}

/** The sum of the words' directions, of length 1; without a word the first axis. */
function vectorOf(words: readonly string[]): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0)
  for (const word of words) {
    const [axis = 0, sign = 0] = createHash('sha256').update(word).digest()
    const at = axis % DIMENSIONS
    sum[at] = (sum[at] ?? 0) + (sign % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...sum)
  if (length === 0) return sum.map((_, at) => (at === 0 ? 1 : 0))
  return sum.map((value) => value / length)
}

const DEFAULT_SIDE_PX = 256
/** Cells of a picture, in each direction; the right half mirrors the left. */
const CELLS = 8
/** A provider of this kind makes as many as it is asked for. */
const PER_CALL = 10

/** The images of the development model: a pattern in two colours, the same for the same prompt, with no network. */
export function devImages(): ImageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'svc',
    modelId: DEV_MODEL,
    maxImagesPerCall: PER_CALL,
    supportsFileInputs: true,
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      return {
        images: Array.from({ length: options.n }, (_, at) => draw(options, at)),
        warnings: [],
        response: { timestamp: new Date(0), modelId: DEV_MODEL, headers: undefined },
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      }
    },
  }
}

function draw({ prompt, size, files }: ImageModelV4CallOptions, at: number): Uint8Array {
  const [width = DEFAULT_SIDE_PX, height = DEFAULT_SIDE_PX] = size?.split('x').map(Number) ?? []
  const hash = createHash('sha256').update(JSON.stringify([prompt ?? '', at]))
  for (const file of files ?? []) if (file.type === 'file') hash.update(file.data)
  const seed = hash.digest()
  const colours = Buffer.concat([seed.subarray(0, 3), seed.subarray(3, 6).map((value) => 255 - (value >> 2))])
  const isDark = (column: number, row: number) =>
    ((seed[CELLS + row] ?? 0) >> Math.min(column, CELLS - 1 - column)) % 2 === 1
  return png(width, height, colours, isDark)
}

/** A PNG of cells in two colours, one bit a pixel. */
function png(
  width: number,
  height: number,
  colours: Uint8Array,
  isSecond: (column: number, row: number) => boolean,
) {
  // A row of pixels for each row of cells; the byte before it says that it is not filtered.
  const rows = Array.from({ length: CELLS }, (_, row) => {
    const bytes = Buffer.alloc(1 + Math.ceil(width / 8))
    for (let x = 0; x < width; x += 1)
      if (isSecond(Math.floor((x * CELLS) / width), row))
        bytes.writeUInt8(bytes.readUInt8(1 + (x >> 3)) | (0x80 >> (x & 7)), 1 + (x >> 3))
    return bytes
  })
  const pixels = Buffer.concat(
    Array.from({ length: height }, (_, y) => rows[Math.floor((y * CELLS) / height)] ?? Buffer.alloc(0)),
  )
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // One bit a pixel, colours by a palette.
  head[8] = 1
  head[9] = 3
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('tEXt', Buffer.from(`Software\0${DEV_MODEL}`, 'latin1')),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
