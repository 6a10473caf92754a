import type { Dialect } from './dialect.ts'
import { always, json } from './reply.ts'

/** How servers answer with embeddings. */
export const vectors: readonly Dialect[] = [
  {
    servers: 'OpenAI, Azure, vLLM',
    does: 'sends vectors in another order, with the index of each text',
    we: 'give each text its own',
    script: always(
      json({
        data: [
          { index: 1, embedding: [0, 1] },
          { index: 0, embedding: [1, 0] },
        ],
      }),
    ),
    play: (user) => user.embed('a', 'b'),
    gets: [
      [1, 0],
      [0, 1],
    ],
  },
  {
    servers: 'OpenAI',
    does: 'sends vectors in base64',
    we: 'read the floats',
    script: always(json({ data: [{ index: 0, embedding: 'AACAPwAAAAA=' }] })),
    play: (user) => user.embed('a'),
    gets: [[1, 0]],
  },
  {
    servers: 'any',
    does: 'sends fewer vectors than texts',
    we: 'tell that this is not an answer',
    script: always(json({ data: [{ index: 0, embedding: [1] }] })),
    play: (user) => user.embed('a', 'b').catch(({ details }) => details),
    gets: { reason: 'malformed' },
  },
]
