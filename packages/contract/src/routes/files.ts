import { uploadTypes } from '../values/media-types.ts'
import * as z from '../values/zod.ts'
import { route } from './row.ts'

const file = { file_ref: 'The reference that upload.negotiate, upload.inline or an image answered.' } as const
const ANY = '*/*'

/** What is read and written as bytes. */
export const files = {
  'bundles.read': route('GET', '/api/v1/svc-apps/bundles/{digest}/{path}', {
    auth: 'none',
    tag: 'files',
    head: true,
    summary:
      'A file of a bundle, immutable under its digest; whole, in one range, or 304 by its ETag. The path may have slashes.',
    params: { digest: 'The digest of the version.', path: 'The path in the bundle.' },
    answer: ANY,
    errors: ['not_found', 'invalid_arg'],
  }),
  'bundles.preflight': route('OPTIONS', '/api/v1/svc-apps/bundles/{digest}/{path}', {
    auth: 'none',
    tag: 'files',
    summary: 'Lets a document of an opaque origin read its own files with any headers.',
    params: { digest: 'The digest of the version.', path: 'The path in the bundle.' },
    status: 204,
    answer: null,
    errors: [],
  }),
  'files.read': route('GET', '/api/v1/svc-apps/files/{file_ref}', {
    auth: 'none',
    tag: 'files',
    head: true,
    summary:
      'An upload or an image, public to whoever knows its name; whole, in one range, or 304 by its ETag.',
    params: file,
    answer: ANY,
    errors: ['not_found', 'invalid_arg'],
  }),
  'uploads.put': route('PUT', '/api/v1/svc-apps/uploads/{file_ref}', {
    auth: 'signature',
    tag: 'files',
    summary:
      'Takes the raw bytes of an upload that was negotiated, once, within ten minutes. Any origin may send them.',
    params: file,
    query: () => z.object({ sig: z.string().describe('The signature, as the negotiated URL has it.') }),
    bodyTypes: uploadTypes,
    answer: () => z.object({ file_ref: z.string(), size_bytes: z.number() }),
    errors: ['conflict'],
  }),
  'uploads.preflight': route('OPTIONS', '/api/v1/svc-apps/uploads/{file_ref}', {
    auth: 'none',
    tag: 'files',
    summary: 'Lets a document of an opaque origin send the PUT.',
    params: file,
    status: 204,
    answer: null,
    errors: [],
  }),
}
