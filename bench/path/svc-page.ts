import { createBridge } from '@svc/bridge'

/** The page around the app: signs in and mounts it. */
const post = (path: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${'bench'.repeat(8)}` },
    body: JSON.stringify(body),
  })

await post('/api/v1/auth/dev-login', { user: 'ada' })
const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
await createBridge().mountWindow({ into: document.body, appId: installs[0].app_id })
