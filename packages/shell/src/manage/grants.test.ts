import type { Grants } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { capTexts, chosenGrants, extraItems, grantItems } from './grants.ts'

describe('grants in words', () => {
  const all: Grants = {
    image_grant: true,
    upload_grant: true,
    web_grant: true,
    credentials_grant: true,
    connect_src: ['https://api.site.org'],
    img_src: ['https://img.site.org:8443'],
    browser: ['download', 'print'],
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
      'places that it reaches',
      { connect_src: ['https://api.site.org'], img_src: ['https://img.site.org:8443'] },
      [
        'Send data to api.site.org and read from it',
        'Load images from img.site.org:8443, which learns of it',
      ],
    ],
    [
      'what it asks of the browser',
      { browser: ['download', 'print'] },
      ['Offer you files to save', 'Print what it shows'],
    ],
    [
      'scopes',
      { allowed_scopes: ['shared', 'maps'] },
      ['Read and write what your apps share with each other', 'Read and write the scope maps'],
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
      'connect_src:https://api.site.org',
      'img_src:https://img.site.org:8443',
      'browser:download',
      'browser:print',
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

describe('plugins of others', () => {
  const digest = '0'.repeat(32)
  const plug = { tool_id: 'tool-eve-sky-1', version: '1.0.0', digest }
  const needs = 'It needs from you KEY.'
  const words = { distribution: 'the npm package sky 1.0.0', needs, reach: 'It may reach sky.example.' }
  const by = (name: string, verified: boolean) => {
    const terms = { author: 'eve', publisher: { name, verified }, version: '1.0.0', digest, ...words }
    return { tool_id: plug.tool_id, kind: 'optional', name: 'Sky', consent: 'asked', terms } as const
  }
  const known = by('eve', false)

  it.each([
    ['eve', false, 'Run the plugin Sky 1.0.0 by eve (not verified) on your machine'],
    ['Sky Ltd.', true, 'Run the plugin Sky 1.0.0 by Sky Ltd. (verified by this host) on your machine'],
  ] as const)('say who published them: %s, %s', (name, verified, sentence) =>
    expect(grantItems({ plugs: [plug] }, [by(name, verified)])[0]?.sentence).toContain(sentence),
  )

  it.each<[string, Grants, string]>([
    [
      'as it is now',
      { plugs: [plug] },
      'Run the plugin Sky 1.0.0 by eve (not verified) on your machine: the npm package sky 1.0.0. It needs from you KEY. It may reach sky.example.',
    ],
    [
      'as it was',
      { plugs: [{ ...plug, digest: '1'.repeat(32) }] },
      'Run the plugin Sky 1.0.0, which is another by now',
    ],
  ])('%s', (_, grants, sentence) => expect(grantItems(grants, [known])[0]?.sentence).toBe(sentence))

  it('are kept, agreed to, and taken out of those that may never run', () => {
    const [item] = extraItems({ plugs_never: [plug.tool_id] }, { plugs: [plug] }, [known])
    const ids = new Set([item?.id ?? ''])
    expect(chosenGrants({ plugs_never: [plug.tool_id] }, { plugs: [plug] }, ids)).toEqual({ plugs: [plug] })
    expect(chosenGrants({ plugs: [plug] }, {}, ids)).toEqual({ plugs: [plug] })
    expect(chosenGrants({ plugs_never: [plug.tool_id] }, { plugs: [plug] }, new Set())).toEqual({
      plugs_never: [plug.tool_id],
    })
  })
})
