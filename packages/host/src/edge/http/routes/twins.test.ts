import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createHost } from '../../../create-host.ts'
import { filesOf, testManifest } from '../../../testing/services.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const as = (user: string) => ({ headers: { host: '127.0.0.1:8787', origin: ORIGIN, 'x-user': user } })

/** A host whose operator brings the sign-in: a header here. */
const operated = () =>
  createHost({
    runner: null,
    authenticate: (request) => {
      const id = request.headers.get('x-user')
      return id ? { id } : null
    },
  })

it('the twins of publishing and enrolling read their input by the rows of the routes', async () => {
  const host = operated()
  try {
    const wrong = { code: 'invalid_arg', details: { path: 'name' } }
    await expect(host.publishing.mint('ada', { name: 7, type: 'tool' })).rejects.toMatchObject(wrong)
    await expect(host.runners.enrol('ada', { name: ' ' })).rejects.toMatchObject(wrong)
    // A manifest without tools has none: what the row fills in is there for the service.
    const skill = { name: 'Haiku', type: 'skill', manifest: { name: 'haiku' }, readme: 'Write haiku.' }
    const made = await host.publishing.create('ada', skill)
    expect(made.manifest.tools).toEqual([])
    await host.runners.enrol('ada', { name: ' desk ' })
    expect(await host.runners.list('ada')).toMatchObject([{ name: 'desk' }])
  } finally {
    await host.close()
  }
})

verifies(
  ['host.twins', 'route.authenticate'],
  'what is done without HTTP is there for the routes',
  async () => {
    const host = operated()
    try {
      const { app_id } = await host.apps.register('ada', { slug: 'notes', name: 'Notes' })
      await host.apps.pushDraft('ada', app_id, {
        manifest: testManifest(),
        files: filesOf({ 'index.html': '<p>' }),
      })
      await host.apps.release('ada', app_id, '1.0.0')
      const { install_id } = await host.apps.install('bob', { app_id, version: '1.0.0' })
      const { window_uuid, entry_url } = await host.windows.open('bob', { app_id })

      const get = async (path: string, user: string) => {
        const response = await host.fetch(new Request(ORIGIN + path, as(user)))
        return { status: response.status, text: await response.text() }
      }
      expect(JSON.parse((await get('/api/v1/svc-apps/installs', 'bob')).text)).toMatchObject({
        installs: [{ install_id, version: '1.0.0' }],
      })
      expect(JSON.parse((await get('/api/v1/svc-apps/windows', 'bob')).text)).toMatchObject({
        windows: [{ window_uuid, entry_url }],
      })
      expect(await get('/api/v1/svc-apps/windows', 'ada')).toMatchObject({
        status: 200,
        text: '{"windows":[]}',
      })
      expect((await get('/api/v1/svc-apps/windows', '')).status).toBe(401)
      expect(await get(entry_url, '')).toEqual({
        status: 200,
        text: expect.stringMatching(/<\/style>--><p>$/),
      })
      expect(
        (await host.fetch(new Request(`${ORIGIN}/api/v1/auth/dev-login`, { ...as(''), method: 'POST' })))
          .status,
      ).toBe(404)

      await host.windows.close('bob', window_uuid, null)
      await host.apps.uninstall('bob', install_id)
      expect((await get('/api/v1/svc-apps/installs', 'bob')).text).toBe('{"installs":[]}')
    } finally {
      await host.close()
    }
  },
)
