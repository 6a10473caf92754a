import { CreateError } from './create-error.ts'
import { didYouMean } from './nearest.ts'

/** What a template makes. */
export type TemplateKind = 'app' | 'plugin' | 'host' | 'page'

/** One template: a row, and the folders under `templates` that it is made of. */
export interface Template {
  /** What `--template` takes. */
  readonly name: string
  readonly kind: TemplateKind
  /** What it is, in a few words. */
  readonly says: string
  /** Folders of `templates`; of two files with one path, that of the later folder is taken. */
  readonly layers: readonly string[]
  /** What its texts have in place of further `{{words}}`. */
  readonly words?: Readonly<Record<string, string>>
}

/** What each kind is, for those who choose. */
export const kinds: Readonly<Record<TemplateKind, string>> = {
  app: 'an app that runs in a sandboxed window',
  plugin: 'tools that run in a process of their own',
  host: 'a server that runs apps',
  page: 'a web page that shows apps in windows',
}

/** All templates; the first of a kind is its default. */
export const templates: readonly Template[] = [
  {
    name: 'app-vanilla',
    kind: 'app',
    says: 'TypeScript without a framework',
    layers: ['app', 'app-vanilla'],
    words: { binding: '@svc/sdk', asks: 'saved-name.ts', box: '' },
  },
  {
    name: 'app-react',
    kind: 'app',
    says: 'React',
    layers: ['app', 'app-web', 'app-react'],
    words: { binding: '@svc/react', asks: 'app.tsx', box: ', `src/trouble-box.tsx`' },
  },
  {
    name: 'app-vue',
    kind: 'app',
    says: 'Vue',
    layers: ['app', 'app-web', 'app-vue'],
    words: { binding: '@svc/vue', asks: 'app.vue', box: ', `src/trouble-box.vue`' },
  },
  {
    name: 'app-svelte',
    kind: 'app',
    says: 'Svelte',
    layers: ['app', 'app-web', 'app-svelte'],
    words: { binding: '@svc/svelte', asks: 'app.svelte', box: ', `src/trouble-box.svelte`' },
  },
  { name: 'plugin-node', kind: 'plugin', says: 'TypeScript on Node', layers: ['plugin', 'plugin-node'] },
  {
    name: 'plugin-python',
    kind: 'plugin',
    says: 'Python 3 without packages',
    layers: ['plugin', 'plugin-python'],
  },
  {
    name: 'host-serve',
    kind: 'host',
    says: 'svc serve with a config file',
    layers: ['small-app', 'host-serve'],
  },
  { name: 'host-express', kind: 'host', says: 'in Express', layers: ['small-app', 'host', 'host-express'] },
  { name: 'host-hono', kind: 'host', says: 'in Hono', layers: ['small-app', 'host', 'host-hono'] },
  { name: 'host-fastify', kind: 'host', says: 'in Fastify', layers: ['small-app', 'host', 'host-fastify'] },
  {
    name: 'page-plain',
    kind: 'page',
    says: 'without a framework',
    layers: ['small-app', 'page', 'page-plain'],
  },
  { name: 'page-react', kind: 'page', says: 'React', layers: ['small-app', 'page', 'page-react'] },
]

/** Returns a template by its name; the name of a kind is that of its first one. */
export function findTemplate(name: string): Template {
  const found = templates.find((one) => one.name === name || one.kind === name)
  if (found) return found
  const names = templates.map((one) => one.name)
  throw new CreateError(
    'usage',
    `there is no template "${name}"${didYouMean(name, names)}`,
    `The templates are ${names.join(', ')}.`,
  )
}
