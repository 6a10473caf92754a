import type { ProjectValues } from '../../packages/create-svc/src/index.ts'

/** An example that is made of a template. */
export interface Follower {
  readonly example: string
  readonly template: string
  readonly values: Pick<ProjectValues, 'name' | 'title'>
  /**
   * Files of the template that the example has in another form, or not at all. All others are the same; of package.json
   * the scripts are, and of index.html the head.
   */
  readonly own: readonly string[]
}

/** What an app of its own has in place of the one that a template shows. */
const ownApp = [
  'README.md',
  'public/manifest.json',
  'src/app.test.ts',
  'src/main.ts',
  'src/saved-name.ts',
  'src/style.css',
]

const app = (example: string, title: string, more: readonly string[] = []): Follower => ({
  example,
  template: 'app-vanilla',
  values: { name: example, title },
  own: [...ownApp, ...more],
})

/** The examples, and what they are made of. */
export const followers: readonly Follower[] = [
  app('agent-chat', 'Agent chat', ['src/trouble.ts']),
  app('csv-lens', 'CSV lens'),
  app('folder-index', 'Folder index'),
  app('hello-window', 'Hello window'),
  app('notes', 'Notes'),
  app('text-digest', 'Text digest', ['src/trouble.ts']),
  app('wasm-lab', 'WASM lab'),
  {
    example: 'plugin-node',
    template: 'plugin-node',
    values: { name: 'plugin-node', title: 'Texts and files (Node)' },
    own: [],
  },
  {
    example: 'plugin-python',
    template: 'plugin-python',
    values: { name: 'plugin-python', title: 'Texts and files (Python)' },
    own: [],
  },
]
