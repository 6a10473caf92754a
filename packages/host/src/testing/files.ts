import type { ImageType } from '@svc/contract'
import { digestOf } from '@svc/state'
import { fileUses } from '../data/app-files/uses.ts'
import { dropFiles } from '../data/uploads/drop.ts'
import { confirmFile, type FileOwner, files } from '../data/uploads/file.ts'
import { negotiate } from '../data/uploads/keep.ts'
import { openReceiver } from '../data/uploads/receive.ts'
import { type TestServicesOptions, testServices } from './services.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

/** The least bytes that are an image of each type. */
export const pictures: { readonly [Type in ImageType]: Buffer } = {
  'image/png': Buffer.from(PNG, 'base64'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  'image/gif': Buffer.from('GIF89a\x01\0\x01\0'),
  'image/webp': Buffer.from('RIFF\x04\0\0\0WEBP'),
  'image/bmp': Buffer.from('BM\0\0'),
  'image/svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
}

/** Whose files the tests make. */
export const ada: FileOwner = { userId: 'ada', appId: 'app_notes' }
const ORIGIN = 'http://127.0.0.1:8787'

/** Uploads over memory and a frozen clock. */
export function openUploadBed(
  options: TestServicesOptions & { readonly services?: ReturnType<typeof testServices> } = {},
) {
  const services = options.services ?? testServices(options)
  const receive = openReceiver(services)
  return {
    services,
    clock: services.clock,
    /** Negotiates room for some bytes of text; returns the id and the signature. */
    async start(size_bytes: number, owner = ada) {
      const told = { mime: 'text/plain', purpose: 'test', filename: null, size_bytes } as const
      await services.users.ensure(owner.userId)
      const { upload_url, file_ref } = await negotiate(services, owner, told, ORIGIN)
      return { file_ref, sig: new URL(upload_url).searchParams.get('sig') ?? '', upload_url }
    },
    put: ({ file_ref, sig }: { readonly file_ref: string; readonly sig: string }, text: string) =>
      receive(file_ref, { sig, checkType: () => {}, read: async () => Buffer.from(text) }),
    receive,
    confirm: (file_ref: string, owner = ada) => confirmFile(services, owner, file_ref),
    sweep: () => dropFiles(services),
    /** The state of a file; `null` when there is no record. */
    state: async (file_ref: string) => (await services.store.get(files, file_ref))?.row.state ?? null,
    has: async (text: string) => (await services.blobs.get(digestOf(Buffer.from(text)))) !== null,
    /** Records that are left: files, and uses of bytes. */
    async left() {
      const due = await services.store.scan(files, 'dueAt', { limit: 1_000 })
      const owned = await services.store.scan(files, 'byOwner', { limit: 1_000 })
      const uses = await services.store.scan(fileUses, 'byFile', { limit: 1_000 })
      const ids = new Set([...due.rows, ...owned.rows].map(({ id }) => id))
      return { files: ids.size, uses: uses.rows.length }
    },
  }
}
