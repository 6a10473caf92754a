import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { modelOutput, withoutMedia } from './tool-output.ts'

const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const words = { type: 'text', text: 'a' }
const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }
const blob = { type: 'resource', resource: { uri: 'x://1', mimeType: 'image/png', blob: 'AAAA' } }
const sheet = { a: [1, { b: 'x' }] }

verifies(
  'run.tools.output',
  'a model that sees gets the images of a result as images, in their places',
  () => {
    expect(modelOutput({ content: [words, image, words, blob] }, true)).toEqual({
      type: 'content',
      value: [words, file, words, file],
    })
  },
)

it('it gets so many of one result', () => {
  const { value } = modelOutput({ content: Array(9).fill(image) }, true) as { value: { type: string }[] }
  expect(value.filter(({ type }) => type === 'file')).toHaveLength(4)
  expect(value[8]).toEqual({ type: 'text', text: '(image/png, 3 bytes, not shown)' })
})

verifies.each('run.tools.output')([
  ['text', [words, words], 'a\na'],
  ['an image for a model that does not see', [words, image], 'a\n(image/png, 3 bytes, not shown)'],
  ['a large one', [{ ...image, data: 'A'.repeat(8_192) }], '(image/png, 6 KB, not shown)'],
  ['a sound', [{ type: 'audio', data: 'AAA=', mimeType: 'audio/wav' }], '(audio/wav, 2 bytes, not shown)'],
  ['an image in a resource', [blob], '(image/png, 3 bytes, not shown)'],
  ['a file', [{ type: 'resource', resource: { uri: 'x', blob: 'AAAA' } }], '(a file, 3 bytes, not shown)'],
  ['a text in a resource', [{ type: 'resource', resource: { uri: 'x://1', text: 'b' } }], 'x://1:\nb'],
  ['a link', [{ type: 'resource_link', uri: 'x://1', name: 'n', description: 'd' }], 'n · x://1 · d'],
  ['a link alone', [{ type: 'resource_link', uri: 'x://1' }], 'x://1'],
  ['a block of another kind', [{ type: 'table', rows: 1 }], '{"type":"table","rows":1}'],
  ['an image without bytes', [{ type: 'image' }], '{"type":"image"}'],
])('%s is told in words', (_, content, value) => {
  expect(modelOutput({ content }, false)).toEqual({ type: 'text', value })
})

verifies.each('run.tools.output')([
  ['its text copy', [{ type: 'text', text: JSON.stringify(sheet, null, 2) }], JSON.stringify(sheet)],
  ['another text', [words], `a\n${JSON.stringify(sheet)}`],
  ['both', [words, { type: 'text', text: JSON.stringify(sheet) }], `a\n${JSON.stringify(sheet)}`],
])('structured content is told once beside %s', (_, content, value) => {
  expect(modelOutput({ content, structuredContent: sheet }, false)).toEqual({ type: 'text', value })
})

it('what stands beside the blocks is told too', () => {
  expect(modelOutput({ content: [words], cost: 5 }, false)).toEqual({ type: 'text', value: 'a\n{"cost":5}' })
})

it.each([
  ['no blocks', { ok: 1 }],
  ['blocks that are none', { content: ['a', 5] }],
  ['a text', { content: 'a' }],
  ['no content', { content: [], structuredContent: 1 }],
  ['nothing', null],
])('%s is JSON', (_, output) => {
  expect(modelOutput(output, true)).toEqual({ type: 'json', value: output })
  expect(withoutMedia(output)).toEqual(output)
})

verifies('run.tools.output', 'what is kept of a result has no bytes of media in it', () => {
  const marker = { type: 'text', text: '(image/png, 3 bytes, not shown)' }
  expect(withoutMedia({ content: [words, image, blob], structuredContent: 1 })).toEqual({
    content: [words, marker, marker],
    structuredContent: 1,
  })
})
