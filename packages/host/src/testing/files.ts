import type { ImageType } from '@svc/contract'
import { digestOf } from '@svc/state'
import { fileUses } from '../data/app-files/uses.ts'
import { confirmFile } from '../data/uploads/confirm.ts'
import { dropFiles } from '../data/uploads/drop.ts'
import { type FileOwner, files } from '../data/uploads/file-row.ts'
import { negotiate } from '../data/uploads/negotiate.ts'
import { openReceiver } from '../data/uploads/receive.ts'
import { type TestHouseOptions, testHouse } from './house.ts'

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
export function openUploadRoom(
  options: TestHouseOptions & { readonly house?: ReturnType<typeof testHouse> } = {},
) {
  const house = options.house ?? testHouse(options)
  const receive = openReceiver(house)
  return {
    house,
    clock: house.clock,
    /** Negotiates room for some bytes of text; returns the id and the signature. */
    async start(size_bytes: number, owner = ada) {
      const told = { mime: 'text/plain', purpose: 'test', filename: null, size_bytes } as const
      await house.users.ensure(owner.userId)
      const { upload_url, file_ref } = await negotiate(house, owner, told, ORIGIN)
      return { file_ref, sig: new URL(upload_url).searchParams.get('sig') ?? '', upload_url }
    },
    put: ({ file_ref, sig }: { readonly file_ref: string; readonly sig: string }, text: string) =>
      receive(file_ref, { sig, holdType: () => {}, read: async () => Buffer.from(text) }),
    receive,
    confirm: (file_ref: string, owner = ada) => confirmFile(house, owner, file_ref),
    sweep: () => dropFiles(house),
    /** The state of a file; `null` when there is no record. */
    state: async (file_ref: string) => (await house.store.get(files, file_ref))?.row.state ?? null,
    has: async (text: string) => (await house.blobs.get(digestOf(Buffer.from(text)))) !== null,
    /** Records that are left: files, and uses of bytes. */
    async left() {
      const due = await house.store.scan(files, 'dueAt', { limit: 1_000 })
      const owned = await house.store.scan(files, 'byOwner', { limit: 1_000 })
      const uses = await house.store.scan(fileUses, 'byFile', { limit: 1_000 })
      const ids = new Set([...due.rows, ...owned.rows].map(({ id }) => id))
      return { files: ids.size, uses: uses.rows.length }
    },
  }
}
