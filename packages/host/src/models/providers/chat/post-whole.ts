import { postChat } from './chat-request.ts'

/** A `fetch` for a provider that posts a text and reads the answer whole; it fails as `postChat` does. */
export const postWhole =
  (model: string, maxBytes: number): typeof fetch =>
  async (input, init = {}) => {
    const reader = await postChat({
      url: new URL(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: String(init.body),
      signal: init.signal ?? undefined,
      model,
      maxBytes,
    })
    const pieces: Uint8Array[] = []
    for (let piece = await reader.read(); piece !== null; piece = await reader.read()) pieces.push(piece)
    return new Response(Buffer.concat(pieces))
  }
