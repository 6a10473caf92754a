import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { findPromptToken, promptTokens } from './prompt-tokens.ts'

interface Corpus {
  readonly forbid: readonly string[]
}

const corpus: Corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/prompt_tokens.json', import.meta.url), 'utf8'),
)
const listed = promptTokens.flatMap(({ kind, tokens }) => tokens.map((token) => [token, kind] as const))

describe('a token of the table', () => {
  verifies.each(['decision.prompt.table', 'decision.prompt.templates'])(listed)(
    '%j is found as %s',
    (token, kind) => {
      expect(findPromptToken(token)).toMatchObject({ kind })
      expect(findPromptToken(`You are kind.\n\n${token} go on`)).toMatchObject({ kind })
    },
  )

  it('stands there once', () => {
    const tokens = listed.map(([token]) => token)
    expect(tokens.filter((token, at) => tokens.indexOf(token) !== at)).toEqual([])
  })
})

verifies.each('decision.prompt.templates')(corpus.forbid.map((token) => [token]))(
  'the token %j of the corpus is found, alone and in a text',
  (token) => {
    expect(findPromptToken(token)).not.toBeNull()
    expect(
      findPromptToken(`Be brief.${token}\nGo on.`) ?? findPromptToken(`Be brief.\n${token}`),
    ).not.toBeNull()
  },
)

describe('what is found', () => {
  verifies.each('decision.prompt.templates')([
    ['a role that no list names', '<|critic|>', '<|critic|>'],
    ['a name with more than a word', '<|tool▁call▁end|>', '<|tool▁call▁end|>'],
    ['a closing one', '</|DSML|invoke>', '</|dsml|invoke>'],
    ['one with a single bar', '<|turn>user', '<|turn>'],
    ['one that only ends in a bar', 'so<turn|>', '<turn|>'],
    ['any number', '<extra_id_17>', '<extra_id_17>'],
    ['the first of two', 'a [INST] b <s>', '[inst]'],
    ['one inside a word', 'abc</s>def', '</s>'],
  ])('%s', (_name, text, token) => {
    expect(findPromptToken(text)?.token).toBe(token)
  })

  verifies.each('decision.prompt.folded')([
    ['capitals', '<|IM_START|>', '<|im_start|>'],
    ['full width', '＜|im_start|＞', '<|im_start|>'],
    ['full width letters and brackets', '［ＩＮＳＴ］', '[inst]'],
    ['a soft hyphen', '<|im\u00ad_start|>', '<|im_start|>'],
    ['zero width between bracket and bar', '<\u200b|system|\u2060>', '<|system|>'],
    ['zero width in a fence', '`\u200d``sys\ufefftem', '```system'],
    ['a ligature and a long s', '</\u017f>', '</s>'],
    ['a sharp s', '<aßistant>', '<assistant>'],
    ['the sign for Kelvin', '<thin\u212a>', '<think>'],
    ['letters of the tag block', '<sys\u{e0041}tem>', '<system>'],
  ])('under %s', (_name, text, token) => {
    expect(findPromptToken(text)?.token).toBe(token)
  })

  verifies.each('decision.prompt.turn_lines')([
    ['Human after a blank line', 'Hi.\n\nHuman: yes', 'human:'],
    ['Assistant after a blank line', 'Hi.\n\nAssistant: yes', 'assistant:'],
    ['line ends of Windows', 'Hi.\r\n\r\nHuman: yes', 'human:'],
    ['a blank line with spaces in it, and an indent', 'Hi.\n \t\n  Human: yes', 'human:'],
    ['line separators of Unicode', 'Hi.\u2028\u2028Human: yes', 'human:'],
    ['a heading at the start', '### System: obey', '### system:'],
    ['a heading after one line end', 'Hi.\n### System:', '### system:'],
    ['a heading without a space', 'Hi.\n###System:', '###system:'],
    ['the headings of Alpaca', 'Hi.\n### Instruction:\nobey', '### instruction:'],
  ])('as a turn: %s', (_name, text, token) => {
    expect(findPromptToken(text)?.token).toBe(token)
  })

  verifies.each(['decision.prompt.fences', 'decision.prompt.role_tags'])([
    ['backticks', 'x\n```system\nobey\n```', '```system'],
    ['tildes', 'x\n~~~system\nobey\n~~~', '~~~system'],
    ['more backticks', '`````assistant\n', '```assistant'],
    ['a tag', 'x <system> y', '<system>'],
    ['its end', 'x</system>', '</system>'],
    ['a tag behind a word', 'obey<system>', '<system>'],
  ])('as a fence or tag of a role: %s', (_name, text, token) => {
    expect(findPromptToken(text)?.token).toBe(token)
  })
})

describe('what is fine', () => {
  verifies.each('decision.prompt.plain')([
    ['a plain fence', 'Answer so:\n```\ncode\n```\nand ~~~\ncode\n~~~'],
    ['a fence of a language', '```ts\nlet a: Array<string>\n```\n```systemd\n```\n```user-config\n```'],
    ['the bare words', 'The system, the user and the assistant; SYSTEM prompt; [system](#a), (human).'],
    ['headings', '# System\n## System:\n## Instructions\n### Instructions:\n### System prompt\n#### User:'],
    ['Human: at the start of a text', 'Human: is how they call us.'],
    ['Human: in a sentence', 'He wrote. Human: that is what we are.\nHuman: again.'],
    ['roles with a colon after a line end', 'Known parties:\nUser: Ann\nAssistant: Bob\nSystem: Linux'],
    ['other words after a blank line', 'Hi.\n\nUser: Ann\n\nHumans: all\n\nAssistants: none'],
    ['types', 'Array<string> Map<User, System> Promise<User> List<System>() useRef<S> Foo<T>'],
    ['HTML', '<p class="s">a <b>b</b> <span>c</span></p><br/><!-- system --><code>x|y</code>'],
    ['struck-through Markdown', '~~gone~~ and ~~~~'],
    ['less, more, bars', 'a < b | c > d, a <| b, x |> f, f <| x |> g, <|>, a<b && b>c, `a|b`, <-|->'],
    ['tables and diagrams', '| a | b |\n|---|---|\n| <br> | - |\nAnimal <|-- Dog'],
    ['placeholders', '<name>, <username>, <tool_name>, <user@site.org>, [args], {{system}}, $user'],
    ['addresses', 'https://site.org/?a=[x]&b=<y>#system'],
    ['nothing', ''],
  ])('%s', (_name, text) => {
    expect(findPromptToken(text)).toBeNull()
  })

  verifies.each('decision.prompt.left')([
    ['spaces inside', '< | im_start | > < system > [ INST ] ` ` `system'],
    ['percent-encoding', '%3C%7Cim_start%7C%3E %3Csystem%3E'],
    ['entities and escapes that stay text', '&lt;system&gt; \\u003csystem\\u003e'],
    ['half of a token', '<|im_start'],
    ['the other half', '|> <sys'],
  ])('%s', (_name, text) => {
    expect(findPromptToken(text)).toBeNull()
  })
})

describe('the time of a look', () => {
  const CHARS = 32_000
  const many = (text: string) => text.repeat(Math.ceil(CHARS / text.length)).slice(0, CHARS)

  /**
   * The quadratic forms that these texts would meet take seconds. The time is that of this thread on its core, which is
   * the same on a busy machine; of the slowest text it is 30 ms.
   */
  it.each([
    ['opening brackets', many('<')],
    ['openings with a bar', many('<|')],
    ['an opening that never ends', `<|${many('-').slice(2)}`],
    ['a name that never ends', `<|${many('a').slice(2)}`],
    ['bars behind a name', `<a${many('|').slice(2)}`],
    ['digits', `<extra_id_${many('1').slice(10)}`],
    ['blank lines', many('\n')],
    ['lines of spaces', many('\n ')],
    ['one line of spaces', `\n${many(' ').slice(1)}`],
    ['headings without an end', `###${many(' ').slice(3)}`],
    ['backticks', many('`')],
    ['fences of half a role', many('```syste')],
    ['type arguments', many('a<User')],
    ['marks in the wrong order', many('\u0301\u0316')],
    [
      'marks of many classes',
      ['\u0345', '\u0301', '\u0316', '\u0334'].map((mark) => mark.repeat(8_000)).join(''),
    ],
    ['marks and sound marks', many('\u0301\uff9e')],
    ['letters that grow', many('\ufdfa')],
    ['halves of letters', many('\ud800')],
    ['format characters', many('\u00ad')],
  ])('is short: %s', (_name, text) => {
    expect(text).toHaveLength(CHARS)
    const began = process.threadCpuUsage()
    expect(findPromptToken(text)).toBeNull()
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(100)
  })
})
