import { grantsSchema, manifestSchema } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { admittedMethods, declares, grants } from './manifest.ts'

const manifest = (host_api: object, plugs: object = {}) =>
  manifestSchema.parse({
    schema: 3,
    name: 'App',
    ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api },
    ...plugs,
  })
const denied = (hint: string) => ({ admitted: false, deniedBy: 'manifest', hint })
const admitted = { admitted: true }
const session = 'Enable a submode: ui.host_api.agent.session.auto or .fixed.'
const plugin = 'Declare the plugin under required_plugs or optional_plugs.'

describe('what a manifest declares', () => {
  it.each([
    ['window', 'close', {}, {}, admitted],
    ['tools', 'invoke', {}, {}, denied(plugin)],
    ['tools', 'invoke', {}, { required_plugs: ['a'] }, admitted],
    ['tools', 'invoke', {}, { optional_plugs: ['a'] }, admitted],
    ['tools', 'invoke', { tools: [] }, {}, admitted],
    ['agent', 'session.create', {}, {}, denied(session)],
    ['agent', 'session.create', { agent: { session: { auto: true } } }, {}, admitted],
    ['agent', 'session.create', { agent: { session: { fixed: { client_ids: [] } } } }, {}, admitted],
    ['storage', 'get', { storage: ['get'] }, {}, admitted],
    ['storage', 'set', { storage: ['get'] }, {}, denied('Add "set" to ui.host_api.storage in the manifest.')],
    ['web', 'fetch', { web: ['*'] }, {}, admitted],
    ['web', 'fetch', {}, {}, denied('Add "fetch" to ui.host_api.web in the manifest.')],
    [
      'toString',
      'call',
      {},
      {},
      denied('There is no such namespace; svc.window.hello() lists what this window may call.'),
    ],
  ])('%s.%s with %j and %j', (ns, method, hostApi, plugs, verdict) => {
    expect(declares(manifest(hostApi, plugs), ns, method)).toEqual(verdict)
  })

  it.each([
    ['upload', /^There is no such method; upload has inline, /],
    ['prefs', /^There is no such method; prefs has [a-z._]+\.$/],
  ])('says of a name that is no method of %s which there are', (ns, hint) => {
    expect(declares(manifest({}), ns, 'steal')).toMatchObject({
      admitted: false,
      deniedBy: 'manifest',
      hint: expect.stringMatching(hint),
    })
  })
})

describe('what the user granted', () => {
  it.each([
    ['image', 'image_grant'],
    ['upload', 'upload_grant'],
    ['web', 'web_grant'],
    ['credentials', 'credentials_grant'],
  ])('%s needs %s', (ns, grant) => {
    const hint = `Install the app with ${grant}: true.`
    expect(grants(grantsSchema.parse({}), ns)).toEqual({ admitted: false, deniedBy: 'grant', hint })
    expect(grants(grantsSchema.parse({ [grant]: true }), ns)).toEqual(admitted)
  })

  it('is asked of no other namespace', () => {
    expect(grants(grantsSchema.parse({}), 'storage')).toEqual(admitted)
  })
})

it('a window may call what is both declared and granted', () => {
  const app = manifest({ storage: ['get'], web: ['fetch'] })
  const own = (granted: object) =>
    admittedMethods(app, grantsSchema.parse(granted)).filter((name) => !name.startsWith('window.'))
  expect(own({})).toEqual(['storage.get'])
  expect(own({ web_grant: true }).sort()).toEqual(['storage.get', 'web.fetch'])
})
