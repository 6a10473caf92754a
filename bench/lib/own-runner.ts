import type { Runner } from '@svc/runner'

/** The plugin that this runner has, as a host is configured with it, and its one tool. */
export const OWN_PLUGIN = { slug: 'own', command: ['own'] } as const
export const OWN_TOOL = 'work'

/** A runner without processes, whose jobs do what the measurement says. */
export function ownRunner(job: Runner['job']): Runner {
  return {
    job,
    call: () => Promise.reject(new Error('this runner has jobs only')),
    describe: async () => ({
      ok: true,
      description: { name: 'own', tools: [{ name: OWN_TOOL, parameters: [] }] },
    }),
    stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
    install: async () => ({ ok: true }),
    close: async () => {},
  }
}
