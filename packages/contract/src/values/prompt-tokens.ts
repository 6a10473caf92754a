/** One kind of token that may not be in a system prompt. */
export interface PromptTokenRow {
  /** What such a token is, in the words of a refusal. */
  readonly kind: string
  /** Tokens of the kind as their templates write them: all there are, or the best known where `form` is wider. */
  readonly tokens: readonly string[]
  /** What any token of the kind looks like once the text is folded: the source of a regular expression. */
  readonly form?: string
}

/** A token that was found: as it reads once the text is folded, without the white space around it. */
export interface PromptToken {
  readonly token: string
  readonly kind: string
}

const roles = ['system', 'user', 'assistant', 'developer', 'human', 'tool']
const anyRole = `(?:${roles.join('|')})`
/** The beginning of a line; lines are parted by `\n` in folded text. */
const lineStart = '(?<=^|\\n)[ \\t]*'

/**
 * What may not be in a system prompt: role and fence tokens, by which a text could open a turn of its own.
 * No form takes more time than one look at each character, whatever the text.
 */
export const promptTokens: readonly PromptTokenRow[] = [
  {
    kind: 'a control token between bars (ChatML, Llama 3 and 4, Phi, Qwen, DeepSeek, Granite, harmony, Command-R, GLM, Kimi, Gemma)',
    tokens: [
      '<|im_start|>',
      '<|im_end|>',
      '<|im_sep|>',
      '<|im_system|>',
      '<|im_user|>',
      '<|im_assistant|>',
      '<|im_middle|>',
      '<|system|>',
      '<|user|>',
      '<|assistant|>',
      '<|tool|>',
      '<|developer|>',
      '<|observation|>',
      '<|endoftext|>',
      '<|endofprompt|>',
      '<|startoftext|>',
      '<|begin_of_text|>',
      '<|end_of_text|>',
      '<|start_header_id|>',
      '<|end_header_id|>',
      '<|header_start|>',
      '<|header_end|>',
      '<|eot_id|>',
      '<|eom_id|>',
      '<|eot|>',
      '<|eom|>',
      '<|python_tag|>',
      '<|reserved_special_token_0|>',
      '<|start|>',
      '<|end|>',
      '<|message|>',
      '<|channel|>',
      '<|constrain|>',
      '<|call|>',
      '<|return|>',
      '<|start_of_role|>',
      '<|end_of_role|>',
      '<|tool_call|>',
      '<|end_of_turn|>',
      '<|fim_prefix|>',
      '<｜User｜>',
      '<｜Assistant｜>',
      '<｜begin▁of▁sentence｜>',
      '<｜end▁of▁sentence｜>',
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁outputs▁begin｜>',
      '<｜DSML｜function_calls>',
      '<|START_OF_TURN_TOKEN|>',
      '<|END_OF_TURN_TOKEN|>',
      '<|SYSTEM_TOKEN|>',
      '<|USER_TOKEN|>',
      '<|CHATBOT_TOKEN|>',
      '<|START_RESPONSE|>',
      '<|turn>',
      '<turn|>',
      '<|channel>',
      '<channel|>',
    ],
    form: '<\\/?\\|[^\\s<>\\p{L}\\p{N}]*[\\p{L}\\p{N}][^\\s<>]*>|<\\/?[\\p{L}\\p{N}_][^\\s<>]*\\|>',
  },
  {
    kind: 'a control token in square brackets (Llama 2, Mistral, GLM)',
    tokens: [
      '[INST]',
      '[/INST]',
      '[BOS]',
      '[EOS]',
      '[SYSTEM_PROMPT]',
      '[/SYSTEM_PROMPT]',
      '[gMASK]',
      '[sMASK]',
      '[AVAILABLE_TOOLS]',
      '[/AVAILABLE_TOOLS]',
      '[TOOL_CALLS]',
      '[/TOOL_CALLS]',
      '[TOOL_RESULTS]',
      '[/TOOL_RESULTS]',
      '[TOOL_CONTENT]',
      '[/TOOL_CONTENT]',
      '[CALL_ID]',
      '[THINK]',
      '[/THINK]',
    ],
  },
  {
    kind: 'a role between square bars (EXAONE, BlueLM)',
    tokens: ['[|system|]', '[|user|]', '[|assistant|]', '[|tool|]', '[|human|]', '[|ai|]', '[|endofturn|]'],
  },
  { kind: 'a system fence (Llama 2)', tokens: ['<<SYS>>', '<</SYS>>'] },
  {
    kind: 'a control token of a text or turn (Llama 2, Mistral, Gemma, Command-R, InternLM, MiniMax, Seed)',
    tokens: [
      '<s>',
      '</s>',
      '<bos>',
      '<eos>',
      '<pad>',
      '<unk>',
      '<BOS_TOKEN>',
      '<EOS_TOKEN>',
      '<EOP_TOKEN>',
      '<start_of_turn>',
      '<end_of_turn>',
      '<start_of_image>',
      '<end_of_image>',
      '<eot>',
      '<eom>',
      '<eod>',
      '<sop>',
      '<eop>',
      '<eoh>',
      '<eoa>',
      '<beginning_of_sentence>',
      '<end_of_sentence>',
      ']~b]',
      '[e~[',
      '<seed:bos>',
      '<seed:eos>',
      '<seed:think>',
      '</seed:think>',
      '<think>',
      '</think>',
      '<fim_prefix>',
      '<fim_middle>',
      '<fim_suffix>',
    ],
  },
  {
    kind: 'a numbered control token (Nemotron, Baichuan, Gemma, InternLM)',
    tokens: ['<extra_id_0>', '<SPECIAL_10>', '<reserved_106>', '<unused0>', '<TOKENS_UNUSED_1>'],
    form: '<(?:extra_id|special|reserved|unused|tokens_unused)_?\\d+>',
  },
  {
    kind: 'a fence of tool calls (Hermes, Qwen, Llama 3)',
    tokens: [
      '<tools>',
      '</tools>',
      '<tool_call>',
      '</tool_call>',
      '<tool_calls>',
      '</tool_calls>',
      '<tool_response>',
      '</tool_response>',
      '<tool_responses>',
      '</tool_responses>',
      '<function_calls>',
      '</function_calls>',
      '<function_results>',
      '</function_results>',
    ],
  },
  {
    kind: 'a role tag',
    tokens: [
      ...[...roles, 'function', 'bot'].flatMap((role) => [`<${role}>`, `</${role}>`]),
      '<ai>',
      '</ai>',
      '<用户>',
      '<_system>',
      '<_user>',
      '<_bot>',
      '<_end>',
    ],
  },
  {
    kind: 'a line that opens a turn after a blank line',
    tokens: ['\n\nHuman:', '\n\nAssistant:'],
    form: `${lineStart}\\n[ \\t]*(?:human|assistant):`,
  },
  {
    kind: 'a heading that opens a turn',
    tokens: ['### System:', '### User:', '### Assistant:', '### Human:', '### Instruction:', '### Response:'],
    form: `${lineStart}###[ \\t]*(?:${anyRole}|instruction|response):`,
  },
  {
    kind: 'a fence with the name of a role',
    tokens: ['```system', '~~~system', '```user', '~~~user', '```assistant', '~~~assistant'],
    form: `(?:\`{3}|~{3})${anyRole}(?![\\p{L}\\p{N}_-])`,
  },
]

/** A type argument right behind its type, such as `Array<User>`: the one place where code writes a role tag. */
const TYPE_ARGUMENT = new RegExp(
  `(?<=[\\p{L}\\p{N}_$])<(?:${['S', 'Function', ...roles.map(capital)].join('|')})>`,
  'gu',
)
/** More marks on one letter than any language writes: normalizing a long run takes the square of its length. */
const MANY_MARKS = /[\p{M}\uff9e\uff9f]{30}/gu
const MARK_JOINER = '\u034f'
const LINE_END = /\r\n|[\r\v\f\u0085\u2028\u2029]/g

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** Full case folding, as far as it can end in ASCII: after NFKC, ß is all that lower case leaves. */
const foldCase = (text: string) => text.toLowerCase().replaceAll('ß', 'ss')

/** The text as tokens are looked for in it: NFKC, without format characters (`Cf`), case folded. */
const fold = (text: string) =>
  foldCase(
    text
      .replace(MANY_MARKS, `$&${MARK_JOINER}`)
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(LINE_END, '\n')
      .replace(TYPE_ARGUMENT, ' '),
  )

const literally = (token: string) => foldCase(token.normalize('NFKC')).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const source = ({ tokens, form }: PromptTokenRow) => form ?? tokens.map(literally).join('|')

const any = new RegExp(promptTokens.map(source).join('|'), 'u')
const kinds = promptTokens.map((row) => ({ kind: row.kind, here: new RegExp(source(row), 'uy') }))

/** The first forbidden token of a text; `null`: there is none. A token split over two texts is none in either. */
export function findPromptToken(text: string): PromptToken | null {
  const folded = fold(text)
  const found = any.exec(folded)
  if (!found) return null
  const isHere = ({ here }: (typeof kinds)[number]) => {
    here.lastIndex = found.index
    return here.test(folded)
  }
  return { token: found[0].trim(), kind: kinds.find(isHere)?.kind ?? '' }
}
