import { cites } from '@svc/conformance/cites'
import { describe, expect, it } from 'vitest'
import { completionOf } from './sampling.ts'

cites('mcp.sampling')

const message = (role: string, content: unknown) => ({ role, content })
const text = (words: string) => ({ type: 'text', text: words })

describe('completionOf', () => {
  it.each([
    ['one block', [message('user', text('a'))], [message('user', text('a'))]],
    [
      'several blocks',
      [message('user', [text('a'), text('b')]), message('assistant', text('c'))],
      [message('user', text('a\nb')), message('assistant', text('c'))],
    ],
  ])('reads %s', (_, messages, read) => {
    expect(completionOf({ messages, maxTokens: 9 })).toMatchObject({ messages: read, maxTokens: 9 })
  })

  it('has the system prompt said first', () => {
    const { messages } = completionOf({ messages: [message('user', text('a'))], systemPrompt: 'Be brief.' })
    expect(messages).toEqual([message('user', text('Be brief.')), message('user', text('a'))])
  })

  it('passes preferences on, without hints that name nothing', () => {
    const modelPreferences = { hints: [{ name: 'small' }, {}, null], costPriority: 1 }
    const { modelPreferences: read } = completionOf({ messages: [], modelPreferences })
    expect(JSON.parse(JSON.stringify(read))).toEqual({ hints: [{ name: 'small' }], costPriority: 1 })
    expect(completionOf({ messages: [] }).modelPreferences).toBeUndefined()
  })

  it.each([
    [{}, 'messages must be an array'],
    [{ messages: [message('system', text('a'))] }, 'role must be user or assistant'],
    [{ messages: [null] }, 'role must be user or assistant'],
    [{ messages: [message('user', { type: 'image', data: '' })] }, 'takes text only, got "image"'],
    [{ messages: [message('user', [text('a'), { type: 'audio' }])] }, 'takes text only, got "audio"'],
    [{ messages: [message('user', null)] }, 'takes text only, got a block without a type'],
    [{ messages: [], tools: [{ name: 'a' }] }, 'tools cannot be given'],
  ])('refuses %j', (params, sentence) => {
    expect(() => completionOf(params)).toThrow(
      expect.objectContaining({ code: -32_602, message: expect.stringContaining(sentence) }),
    )
  })
})
