import { expect, it } from 'vitest'
import { askAbout, noAsks } from './plug-ask.ts'
import { initialState } from './state.ts'
import { createStore } from './store.ts'

const asked = {
  type: 'plug_asked',
  window_uuid: 'w1',
  app_id: 'app-1',
  tool_id: 'tool-eve-sky-1',
  name: 'Sky',
  publisher: { name: 'eve', verified: false },
  author: 'eve',
  version: '1.0.0',
  distribution: 'the npm package sky',
  needs: '',
  reach: '',
  digest: 'd1',
} as const
const window = { app: { slug: 'atlas', name: 'Atlas' } }

it('asks once, however often an app calls, and again about what is another', () => {
  const store = createStore(initialState)
  const said: string[] = []
  const parts = { store, say: (sentence: string) => void said.push(sentence) }
  const open = () => store.get().plugAsks.open.map(({ digest }) => digest)
  askAbout(parts, window, asked)
  askAbout(parts, window, asked)
  expect(open()).toEqual(['d1'])
  expect(said).toEqual(['Atlas asks whether the plugin Sky may run'])
  askAbout(parts, window, { ...asked, digest: 'd2' })
  expect(open()).toEqual(['d1', 'd2'])
  store.set((state) => ({ ...state, plugAsks: { ...noAsks, putOff: ['app-1 d1'] } }))
  askAbout(parts, window, asked)
  expect(open()).toEqual([])
})
