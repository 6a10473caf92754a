import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { refusal, testServices } from '../testing/services.ts'

describe('register', () => {
  verifies('route.apps.create', 'answers the id; one slug an owner, twenty at once included', async () => {
    const services = testServices()
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => services.apps.register('ada', { slug: 'a', name: 'A' })),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(services.apps.register('ada', { slug: 'a', name: 'A' }))).toMatch(/^conflict/)
    await expect(services.apps.register('bob', { slug: 'a', name: 'A' })).resolves.toEqual({
      app_id: expect.any(String),
    })
  })

  test.each([
    [{ slug: '', name: 'A' }, 'slug must be lower-case letters and digits, joined by single hyphens, got ""'],
    [
      { slug: 'A', name: 'A' },
      'slug must be lower-case letters and digits, joined by single hyphens, got "A"',
    ],
    [
      { slug: 'a--b', name: 'A' },
      'slug must be lower-case letters and digits, joined by single hyphens, got "a--b"',
    ],
    [
      { slug: 'a/b', name: 'A' },
      'slug must be lower-case letters and digits, joined by single hyphens, got "a/b"',
    ],
    [{ slug: 'a'.repeat(41), name: 'A' }, `slug must have at most 40 characters, got "${'a'.repeat(41)}"`],
    [{ slug: 'a', name: '' }, 'name must have at least 1 character, got ""'],
    [{ slug: 'a', name: ' \u200b ' }, 'name must have a visible character, got " \u200b "'],
    [{ slug: 'a', name: 'n'.repeat(81) }, /^invalid_arg: name must have at most 80 characters/],
  ])('%j is refused', async (app, says) => {
    const said = await refusal(testServices().apps.register('ada', app))
    if (typeof says === 'string') expect(said).toBe(`invalid_arg: ${says}`)
    else expect(said).toMatch(says)
  })
})
