import { promptTokens } from '../../packages/contract/src/index.ts'

/** The tokens as code: without the blank lines before some of them, two backticks around those with backticks. */
const shown = (token: string) => (token.includes('`') ? `\`\` ${token.trim()} \`\`` : `\`${token.trim()}\``)

/** Every kind of token that a system prompt may not hold. */
export function promptTokensPage(): string {
  const sections = promptTokens.map(({ kind, tokens, form }) => {
    const list = tokens.map(shown).join(' ')
    return `- ${kind}: ${list}${form === undefined ? '' : ' and whatever has the form of these'}`
  })
  return `# Prompt tokens

A system prompt with one of these is \`APP_INVALID_REQUEST\`, because a text could open a turn of its own with it. They
are looked for in the text after NFKC, without format characters (\`Cf\`) and whatever their case. Plain Markdown,
HTML, headings and the names of roles as words are fine.

${sections.join('\n')}`
}
