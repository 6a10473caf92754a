import type { SmallApp } from './app-folder.ts'
import { show } from './bridge-page.ts'

/** Stores, calls a tool, uploads through the signed URL, and shows the file as an image. */
const script = `import { svc } from '@svc/sdk'; ${show}
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
  const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0))
  svc.ready.then(async () => {
    await svc.storage.set({ key: 'k', value: 1 })
    const { value } = await svc.storage.get({ key: 'k' })
    const said = JSON.stringify(await svc.tools.invoke({ tool_id: 'odd.echo', args: { text: 'hello' } }))
    const about = { mime: 'image/png', purpose: 'test', size_bytes: bytes.length }
    const { upload_url, file_ref } = await svc.upload.negotiate(about)
    const put = await fetch(upload_url, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } })
    const { url } = await svc.upload.confirm({ file_ref })
    const image = new Image()
    image.src = url
    await image.decode()
    show({ value, text: said.includes('hello'), put: put.status, path: new URL(url).pathname.replace(file_ref, ''), width: image.naturalWidth })
  }).catch((error) => show(String(error)))`

/** The app of that script. */
export const uploadApp: SmallApp = {
  script,
  host_api: { storage: ['*'], upload: ['*'] },
}
