import { limits } from '@svc/contract'
import { digestOf, type Store } from '@svc/state'
import { expect, it } from 'vitest'
import { type TestServices, testServices } from '../../testing/services.ts'
import {
  addUse,
  dropArriving,
  dropOwnUse,
  dropUse,
  fileUses,
  finishDrops,
  lateUses,
  putUsed,
} from './uses.ts'

const bytes = Buffer.from('hello')
const file = digestOf(bytes)
const yes = async () => true

/** Holders of the bytes, and whether these are there. */
async function kept({ store, blobs }: TestServices) {
  const { rows } = await store.scan(fileUses, 'byFile', { limit: 9 })
  return [...rows.map(({ row }) => row.holder), (await blobs.get(file)) !== null]
}

const lateOf = async ({ store }: TestServices) =>
  (await store.scan(lateUses, 'dueAt', { limit: 9 })).rows.length

it('bytes go with the last use of them', async () => {
  const services = testServices()
  for (const holder of ['a', 'b']) await putUsed(services, file, holder, bytes)
  await dropUse(services, file, 'a')
  expect(await kept(services)).toEqual(['b', true])
  await dropUse(services, file, 'b')
  expect(await kept(services)).toEqual([false])
})

it('a drop reads no bytes', async () => {
  const services = testServices()
  await putUsed(services, file, 'a', bytes)
  const never = () => Promise.reject(new Error('bytes were read'))
  await dropUse({ ...services, blobs: { ...services.blobs, get: never, slice: never } }, file, 'a')
  expect(await kept(services)).toEqual([false])
})

it('a host that was taken for dead meanwhile removes no bytes', async () => {
  const services = testServices()
  await putUsed(services, file, 'a', bytes)
  const removals: TestServices['removals'] = {
    ...services.removals,
    run: (digest, work) =>
      services.removals.run(digest, () =>
        work({ checkOwn: () => Promise.reject(new Error('taken for dead')) }),
      ),
  }
  await expect(dropUse({ ...services, removals }, file, 'a')).rejects.toThrow('taken for dead')
  expect(await kept(services)).toEqual([true])
})

it('a use that its holder adds again while it is dropped stays, whatever was read before', async () => {
  const services = testServices()
  const again = () => addUse(services.store, file, 'a')
  const store: Store = {
    ...services.store,
    async remove(of, id, revision) {
      if (of.name === fileUses.name) await again()
      return services.store.remove(of, id, revision)
    },
  }
  await putUsed(services, file, 'a', bytes)
  await dropUse({ ...services, store }, file, 'a', yes)
  expect(await kept(services)).toEqual(['a', true])
  await dropUse(services, file, 'a', () => again().then(yes))
  expect(await kept(services)).toEqual(['a', true])
})

it('a use that its holder has again is not dropped', async () => {
  const services = testServices()
  await putUsed(services, file, 'a', bytes)
  await dropUse(services, file, 'a', async () => false)
  expect(await kept(services)).toEqual(['a', true])
})

it('what was given up and comes after that is dropped a minute later', async () => {
  const services = testServices()
  await dropArriving(services, file, 'a')
  await putUsed(services, file, 'a', bytes)
  await services.clock.advance(limits.APP_FILE_WRITE_MS - 1)
  await finishDrops(services)
  expect(await kept(services)).toEqual(['a', true])
  await services.clock.advance(1)
  await finishDrops(services)
  expect(await kept(services)).toEqual([false])
  expect(await lateOf(services)).toBe(0)
})

it('who put bytes that were given up drops them itself, and nothing is left to be done', async () => {
  const services = testServices()
  await dropArriving(services, file, 'a')
  await putUsed(services, file, 'a', bytes)
  await dropOwnUse(services, file, 'a')
  expect([await kept(services), await lateOf(services)]).toEqual([[false], 0])
  await dropOwnUse(services, file, 'a')
})

it('a use that cannot be dropped once more stays due, and keeps no other from it', async () => {
  const services = testServices()
  const other = Buffer.from('other')
  for (const [holder, text] of [
    ['a', bytes],
    ['b', other],
  ] as const) {
    await dropArriving(services, digestOf(text), holder)
    await putUsed(services, digestOf(text), holder, text)
  }
  await services.clock.advance(limits.APP_FILE_WRITE_MS)
  const { remove } = services.blobs
  services.blobs.remove = (digest) =>
    digest === file ? Promise.reject(new Error('the disk is away')) : remove(digest)
  await expect(finishDrops(services)).rejects.toThrow('the disk is away')
  expect(await services.blobs.get(digestOf(other))).toBeNull()
  services.blobs.remove = remove
  await finishDrops(services)
  expect(await kept(services)).toEqual([false])
})
