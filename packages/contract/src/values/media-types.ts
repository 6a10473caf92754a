/** The types of images that an app may hand over, and that a file is checked for. */
export const imageTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/svg+xml',
] as const

/** A type of images. */
export type ImageType = (typeof imageTypes)[number]

/**
 * The types that a file may have: images and plain documents. Nothing that a browser runs (HTML, scripts) is among
 * them; `application/octet-stream` takes what has no type here.
 */
export const uploadTypes = [
  ...imageTypes,
  'application/pdf',
  'application/json',
  'application/zip',
  'application/octet-stream',
  'text/plain',
  'text/csv',
  'text/markdown',
] as const

/** A type that a file may have. */
export type UploadType = (typeof uploadTypes)[number]

/** The types of archives that a push may be. */
export const archiveTypes = ['application/gzip', 'application/x-tar', 'application/zip'] as const
