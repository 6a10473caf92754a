import { verifies } from '@svc/conformance/verifies'
import type { Limits } from '@svc/contract'
import { describe, expect } from 'vitest'
import { plugValues } from '../../catalog/plug-values.ts'
import { tools } from '../../edge/handlers/tools.ts'
import { openPluginBed } from '../../testing/plugins.ts'
import { npm, weather } from '../../testing/publishing.ts'
import { readyRunner } from '../../testing/runners.ts'

const env = {
  KEY: { secret: true, required: true, description: 'the key of your account' },
  VAULT: { description: 'where your notes are' },
  CITY: { default: 'Rome' },
  LEVEL: 'low',
}
const content = {
  manifest: { ...weather(), reach: { folders: [{ path: '${VAULT}', access: 'write' }] } },
  distribution: { ...npm, args: ['--city', '${CITY}'], env },
}

/** Eve's public plugin that needs values, an app of hers that declares it, and a runner of each user. */
async function openScene(limits: Partial<Limits> = {}, visibility = 'public') {
  const bed = openPluginBed(limits)
  const runner = readyRunner('forecast')
  for (const user of ['ada', 'eve']) bed.runners.connect(user, runner)
  const toolId = await bed.publish('eve', { ...content, visibility })
  const appId = await bed.app('eve', [toolId])
  await bed.services.apps.release('eve', appId, '1.0.0')
  const { variables } = bed.services
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  return {
    ...bed,
    runner,
    toolId,
    appId,
    refused,
    get: (user: string) => variables.get(user, toolId),
    set: (user: string, values: Record<string, string | null>) => variables.set(user, toolId, values),
  }
}
const needed = { KEY: 'sk-1', VAULT: '/home/ada/notes' }

describe('variables of a plugin', () => {
  verifies(
    'plug.variables.given',
    'are given by each user for himself, and secrets never come back',
    async () => {
      const { get, set, runner, open, appId, invoke, toolId, agree } = await openScene()
      const app = await open('ada', appId, '1.0.0')
      await agree(app)
      const row = { default: null, folder: null, is_set: false, required: false, secret: false, value: null }
      const before = {
        tool_id: toolId,
        name: 'Weather',
        missing: ['KEY', 'VAULT'],
        variables: [
          { ...row, name: 'KEY', description: 'the key of your account', secret: true, required: true },
          { ...row, name: 'VAULT', description: 'where your notes are', required: true, folder: 'write' },
          { ...row, name: 'CITY', description: null, default: 'Rome' },
        ],
      }
      expect(await get('ada')).toEqual(before)
      const after = await set('ada', needed)
      expect(after).toMatchObject({
        missing: [],
        variables: [
          { name: 'KEY', is_set: true, value: null },
          { name: 'VAULT', is_set: true, value: '/home/ada/notes' },
          { name: 'CITY', is_set: false },
        ],
      })
      expect(JSON.stringify(after)).not.toContain('sk-1')
      expect(await get('ada')).toEqual(after)
      expect(await get('eve')).toEqual(before)
      expect(await invoke(app, toolId)).toBe('1.0.0')
      expect(runner.called.at(-1)).toMatchObject({ values: needed })
      await set('ada', { CITY: 'Oslo', KEY: 'sk-2' })
      await invoke(app, toolId)
      expect(runner.called.at(-1)).toMatchObject({ values: { ...needed, CITY: 'Oslo', KEY: 'sk-2' } })
      expect(await set('ada', { KEY: null, VAULT: null, CITY: null })).toEqual(before)
    },
  )

  verifies(
    'plug.variables.missing',
    'are asked for before anything starts, in words for their user',
    async () => {
      const { set, runner, open, appId, invoke, toolId, list, services, context, told } = await openScene()
      const app = await open('ada', appId, '1.0.0')
      const sentence =
        'Weather needs KEY ("the key of your account") and VAULT ("where your notes are"). Give them under Manage, Plugins.'
      expect(await invoke(app, toolId)).toBe(`plug_unavailable: ${sentence}`)
      await expect(
        tools.invoke({ tool_id: toolId, method: 'forecast' }, await context(app)),
      ).rejects.toMatchObject({
        details: { missing: ['KEY', 'VAULT'], hint: expect.stringContaining(`svc plug set ${toolId} KEY`) },
      })
      await expect(
        tools.invokeAsync({ tool_id: toolId, method: 'forecast' }, await context(app)),
      ).rejects.toThrow(sentence)
      expect(await list(app)).toEqual(['The weather. unavailable'])
      const shown = async () => (await services.publishing.visible('ada', { limit: 20 })).plugs[0]
      expect(await shown()).toMatchObject({
        status: 'unavailable',
        problem: sentence,
        variables: ['KEY', 'VAULT', 'CITY'],
      })
      expect(runner.called).toEqual([])
      await told()
      await set('ada', needed)
      expect(await told()).toEqual([app.windowUuid])
      await list(app)
      await services.clock.advance(0)
      expect(await list(app)).toEqual(['The weather. available'])
      expect(await shown()).toMatchObject({ status: 'available', problem: null })
      await set('ada', { KEY: null })
      expect(await invoke(app, toolId)).toContain(
        'Weather needs KEY ("the key of your account"). Give it under',
      )
      expect(runner.called).toEqual([])
    },
  )

  verifies.each('plug.variables.judged')<[Record<string, string>, string]>([
    [{ KEI: 'x' }, 'values.KEI is no variable of this plugin; did you mean `KEY`?'],
    [{ LEVEL: 'high' }, 'values.LEVEL is no variable of this plugin'],
    [{ constructor: 'x' }, 'values.constructor is no variable'],
    [{ KEY: 'a\0b' }, 'values.KEY must not hold control characters'],
    [{ KEY: 'a\u001bb' }, 'values.KEY must not hold control characters'],
    [{ VAULT: 'notes' }, 'values.VAULT must be an absolute path'],
    [{ VAULT: '/etc' }, 'values.VAULT must be a folder of data'],
    [{ VAULT: '/home/ada/../bob' }, 'values.VAULT must not hold the folders'],
    [{ KEY: 'x'.repeat(8_000), CITY: 'ü'.repeat(8_000) }, 'values must have at most 16384 bytes'],
  ])('%j is refused: %s', async (values, sentence) => {
    const { set, get, refused } = await openScene()
    const why = await refused(set('ada', values))
    expect(why).toContain(sentence)
    expect(why).not.toContain('sk-')
    expect((await get('ada')).variables.some((one) => one.is_set)).toBe(false)
  })

  verifies('plug.variables.judged', 'a key may have lines, as those in files do', async () => {
    const { set } = await openScene()
    expect(await set('ada', { KEY: '-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n' })).toMatchObject({
      missing: ['VAULT'],
    })
  })

  verifies('plug.variables.whose', 'are those of whoever may run it, and of nobody else', async () => {
    const { get, set, open, appId, refused, services, toolId } = await openScene({}, 'app_bundled')
    const none = `there is no plugin "${toolId}" that this user may run`
    expect(await refused(get('ada'))).toBe(none)
    expect(await refused(set('ada', needed))).toBe(none)
    expect(await refused(services.variables.get('ada', 'tool-nobody'))).toContain('there is no plugin')
    expect((await get('eve')).missing).toEqual(['KEY', 'VAULT'])
    await open('ada', appId, '1.0.0')
    expect((await set('ada', needed)).missing).toEqual([])
  })

  verifies('plug.variables.gone', 'go with the plugin, and with their user', async () => {
    const { set, services, toolId, refused, get } = await openScene({ PLUG_VALUES_PER_USER: 1 })
    await set('ada', needed)
    await set('eve', needed)
    const rows = async () =>
      (await services.store.scan(plugValues, 'byPlug', { eq: [toolId], limit: 9 })).rows.length
    expect(await rows()).toBe(2)
    await services.publishing.remove('eve', toolId)
    expect(await rows()).toBe(0)
    expect(await refused(get('ada'))).toContain('there is no plugin')
  })
})
