import type { Grants } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { capTexts, chosenGrants, extraItems, grantItems } from './grants.ts'

describe('grants in words', () => {
  const all: Grants = {
    image_grant: true,
    upload_grant: true,
    web_grant: true,
    credentials_grant: true,
    allowed_scopes: ['shared', 'maps'],
    agent: { platform_tools: ['files_read'], inherit_host_tools: true },
    models: ['large'],
    quota_caps: { max_runs_per_day: 5 },
  }

  it.each<[string, Grants, string[]]>([
    ['nothing', {}, []],
    ['a switch that is off', { web_grant: false, agent: { inherit_host_tools: false } }, []],
    ['the web', { web_grant: true }, ['Read pages of the web through the host']],
    [
      'scopes',
      { allowed_scopes: ['shared', 'maps'] },
      ['Read and write what your apps keep in common (scope shared)', 'Read and write the scope maps'],
    ],
    [
      'an agent',
      { agent: { platform_tools: ['files_read'], inherit_host_tools: true } },
      ['Let its agent use the host’s tool files_read', 'Let its agent use the tools of your other plugins'],
    ],
    ['a model', { models: ['large'] }, ['Use the model large']],
  ])('%s', (_, grants, sentences) =>
    expect(grantItems(grants).map(({ sentence }) => sentence)).toEqual(sentences),
  )

  it('bounds', () => expect(capTexts(all)).toEqual(['At most 5 agent runs in a day']))

  it('asks besides only for what was not given', () => {
    expect(extraItems({ web_grant: true, allowed_scopes: ['maps'] }, all).map(({ id }) => id)).toEqual([
      'image_grant',
      'upload_grant',
      'credentials_grant',
      'scope:shared',
      'tool:files_read',
      'inherit',
      'model:large',
    ])
  })

  it('gives all that is chosen, and nothing else', () => {
    const ids = grantItems(all).map(({ id }) => id)
    expect(chosenGrants(all, {}, new Set(ids))).toEqual(all)
    expect(chosenGrants({}, all, new Set(ids))).toEqual({ ...all, quota_caps: undefined })
  })

  it.each(grantItems(all).map(({ id }) => id))('leaves %s out where it is not chosen', (id) => {
    const others = grantItems(all)
      .map((item) => item.id)
      .filter((one) => one !== id)
    const chosen = chosenGrants(all, all, new Set(others))
    expect(grantItems(chosen).map((item) => item.id)).toEqual(others)
    expect(chosen.quota_caps).toEqual(all.quota_caps)
  })

  it('takes no id that neither was given nor is asked for', () => {
    expect(chosenGrants({}, {}, new Set(['scope:maps', 'model:large', 'tool:files_read']))).toEqual({})
  })
})
