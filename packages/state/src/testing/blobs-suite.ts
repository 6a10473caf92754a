import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Blobs } from '../blobs/port.ts'

// From the standard's own examples (FIPS 180-4), not from our code.
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

/** Every rule of the blobs port, for one driver. `open` gives an empty one each time; the suite closes it. */
export function blobsSuite(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs: ${name}`, () => {
    let blobs: Blobs
    beforeEach(async () => {
      blobs = await open()
    })
    afterEach(() => blobs.close())

    it.each([
      ['no bytes', new Uint8Array(), EMPTY],
      ['text', Buffer.from('abc'), ABC],
    ])('name %s by their SHA-256', async (_, bytes, digest) => {
      expect(await blobs.put(bytes)).toBe(digest)
      expect(Buffer.from((await blobs.get(digest)) ?? 'none')).toEqual(Buffer.from(bytes))
    })

    it('give back every byte', async () => {
      const bytes = Uint8Array.from({ length: 1 << 20 }, (_, n) => (n * 31 + (n >> 8)) & 0xff)
      const digest = await blobs.put(bytes)
      expect(Buffer.compare((await blobs.get(digest)) ?? new Uint8Array(), bytes)).toBe(0)
    })

    it.each([
      [0, 0, ''],
      [0, 2, 'ab'],
      [1, 3, 'bc'],
      [2, 9, 'c'],
      [3, 9, ''],
      [7, 9, ''],
    ])('give the bytes from %i to %i', async (from, to, part) => {
      await blobs.put(Buffer.from('abc'))
      expect(Buffer.from((await blobs.slice(ABC, from, to)) ?? 'none').toString()).toBe(part)
    })

    it('keep only the part of a buffer they were given', async () => {
      expect(await blobs.put(Buffer.from('xabcx').subarray(1, 4))).toBe(ABC)
      expect(Buffer.from((await blobs.get(ABC)) ?? 'none').toString()).toBe('abc')
    })

    it('do not change when the writer goes on using its buffer', async () => {
      const bytes = Buffer.from('abc')
      await blobs.put(bytes)
      bytes.fill(0)
      expect(Buffer.from((await blobs.get(ABC)) ?? 'none').toString()).toBe('abc')
    })

    it('keep the same bytes once, also when they are put at the same time', async () => {
      const digests = await Promise.all(Array.from({ length: 20 }, () => blobs.put(Buffer.from('abc'))))
      expect(new Set(digests)).toEqual(new Set([ABC]))
      expect(await blobs.remove(ABC)).toBe(true)
      expect(await blobs.get(ABC)).toBeNull()
    })

    it('forget what is removed, once', async () => {
      await blobs.put(Buffer.from('abc'))
      const removals = await Promise.all([1, 2, 3].map(() => blobs.remove(ABC)))
      expect(removals.filter(Boolean)).toHaveLength(1)
      expect(await blobs.get(ABC)).toBeNull()
      expect(await blobs.put(Buffer.from('abc'))).toBe(ABC)
      expect(await blobs.get(ABC)).not.toBeNull()
    })

    it.each([
      '',
      'abc',
      EMPTY,
      ABC.toUpperCase(),
      `${ABC}0`,
      `../${ABC}`,
      '../../etc/passwd',
      '\u0000',
      '__proto__',
    ])('know nothing of %j', async (digest) => {
      await blobs.put(Buffer.from('abc'))
      expect(await blobs.get(digest)).toBeNull()
      expect(await blobs.slice(digest, 0, 1)).toBeNull()
      expect(await blobs.remove(digest)).toBe(false)
      expect(await blobs.get(ABC)).not.toBeNull()
    })

    it('after close refuse everything, and closing twice is harmless', async () => {
      await blobs.close()
      await blobs.close()
      await expect(blobs.put(Buffer.from('abc'))).rejects.toThrow('closed')
      await expect(blobs.get(ABC)).rejects.toThrow('closed')
      await expect(blobs.slice(ABC, 0, 1)).rejects.toThrow('closed')
      await expect(blobs.remove(ABC)).rejects.toThrow('closed')
    })
  })
}
