export { mintPageToken, type PageTokenOptions } from './access/tokens/page-tokens.ts'
