import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { showDesk } from './desk.ts'
import { showPostcard } from './postcard.ts'
import { showTrouble } from './trouble.ts'

/** The views of the manifest; each stands in a template of the page. */
const views = new Map([
  ['main', showDesk],
  ['postcard', showPostcard],
])

followTheme(svc)
try {
  const hello = await svc.ready
  const { name } = hello.view_meta
  document.body.append(byId(name, HTMLTemplateElement).content.cloneNode(true))
  await views.get(name)?.(hello)
  await svc.window.ready()
} catch (error) {
  showTrouble(byId('trouble'), error)
}
