import type { Attachment } from '@svc/sdk'

/** The types of images that a run takes, how many, and how large each. */
const types: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/svg+xml',
]
const MOST = 6
const MAX_BYTES = 20_971_520

/** What a file picker offers. */
export const acceptedTypes = types.join()

/** Reads images that a user chose, beside so many that are there. Throws a sentence for what a run does not take. */
export async function readImages(files: readonly File[], before: number): Promise<Attachment[]> {
  if (before + files.length > MOST)
    throw new Error(`A message may have ${MOST} images, with these it would have ${before + files.length}`)
  for (const { name, type, size } of files) {
    if (!types.includes(type))
      throw new Error(`${name} is not an image that can be sent, its type is ${type || 'unknown'}`)
    if (size > MAX_BYTES) throw new Error(`${name} has ${size} bytes, an image may have ${MAX_BYTES}`)
  }
  return Promise.all(
    files.map(async (file) => ({
      type: file.type as Attachment['type'],
      data: await dataUri(file),
      filename: file.name,
    })),
  )
}

const dataUri = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
