import { cites } from '@svc/conformance/cites'
import { describe, expect, it } from 'vitest'
import { outputOf } from './tool-result.ts'

cites('mcp.call', 'mcp.call.failure')

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const resource = { type: 'resource', resource: { uri: 'demo://1', text: 'x' } }

describe('outputOf', () => {
  it.each([
    ['text', { content: [text('a')] }, { content: [text('a')] }],
    ['images and resources', { content: [image, resource] }, { content: [image, resource] }],
    ['nothing', { content: [] }, { content: [] }],
    ['no content at all', {}, { content: [] }],
    ['content that is null', { content: null, structuredContent: 1 }, { content: [], structuredContent: 1 }],
    ['the value itself', { t: 1, _meta: {} }, { content: [], structuredContent: { t: 1 } }],
    [
      'structured content beside it',
      { content: [text('{}')], structuredContent: { t: 1 }, isError: false, _meta: { a: 1 } },
      { content: [text('{}')], structuredContent: { t: 1 } },
    ],
    [
      'structured content that is not an object',
      { structuredContent: 0 },
      { content: [], structuredContent: 0 },
    ],
  ])('gives %s', (_, result, output) => {
    expect(outputOf(result)).toEqual(output)
  })

  it.each([
    [{ content: [text('no key')], structuredContent: { code: 7 } }, 'no key\n{"code":7}'],
    [{ content: [text('{ "code": 7 }')], structuredContent: { code: 7 } }, '{ "code": 7 }'],
    [{ reason: 'no key' }, 'the tool reported a failure without a text: {"reason":"no key"}'],
  ])('throws what is beside the texts of a failure, and once: %j', (result, sentence) => {
    expect(thrownBy(() => outputOf({ ...result, isError: true }))).toMatchObject({ message: sentence })
  })

  it.each([
    [[text('no such city'), image, text('try Paris')], 'no such city\n(image/png, not shown)\ntry Paris'],
    [[image], 'the tool reported a failure without a text: (image/png, not shown)'],
    [[resource, { type: 'resource_link', uri: 'demo://2' }], 'x\n(resource demo://2)'],
    [[], 'the tool reported a failure without a text'],
  ])('throws what the tool reports', (content, sentence) => {
    const error = thrownBy(() => outputOf({ content, isError: true }))
    expect(error).toMatchObject({ name: 'Error', message: sentence })
  })

  it.each([[5], [null], [[]], [{ content: 'text' }]])('does not take %j', (result) => {
    const error = thrownBy(() => outputOf(result))
    expect(error).toMatchObject({ name: 'RpcError', message: expect.stringContaining('list of content') })
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
