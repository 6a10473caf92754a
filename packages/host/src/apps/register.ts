import { limits, refuse, wrongArgs } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { apps, OPERATOR } from '../catalog/records.ts'
import type { AppNeeds } from './services.ts'

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** What registers an app. */
const registration = z.object({
  slug: z
    .string()
    .max(limits.SLUG_MAX_CHARS)
    .refine((slug) => SLUG.test(slug), 'must be lower-case letters and digits, joined by single hyphens'),
  name: z
    .string()
    .min(1)
    .max(limits.APP_NAME_MAX_CHARS)
    .refine((name) => /[^\s\p{C}]/u.test(name), 'must have a visible character'),
})

/** Registers an app. The cap of the insert decides: one app an owner and slug. Errors: `invalid_arg`, `conflict`, `quota_exceeded`. */
export async function registerApp(
  services: AppNeeds,
  owner: string,
  input: unknown,
): Promise<{ app_id: string }> {
  const parsed = registration.safeParse(input)
  if (!parsed.success) throw wrongArgs(parsed.error, input)
  const { slug, name } = parsed.data
  const max = services.limits.APPS_PER_USER
  const row = { slug, name, owner, created_at: services.clock.now() }
  const inserted = await services.store.insert(apps, services.newId('app'), row, {
    caps: [
      { name: 'slug', index: 'byOwner', eq: [owner, slug], max: 1 },
      ...(owner === OPERATOR ? [] : [{ name: 'owner', index: 'byOwner', eq: [owner], max } as const]),
    ],
  })
  if ('full' in inserted && inserted.full === 'owner') throw tooMany(max)
  if (!inserted.ok) throw refuse('conflict', `there is an app ${JSON.stringify(slug)} of this user already`)
  return { app_id: inserted.record.id }
}

const tooMany = (max: number) =>
  refuse('quota_exceeded', `a user may have at most ${max} apps`, {
    limit: 'APPS_PER_USER',
    max,
    hint: 'Delete one of them.',
  })
