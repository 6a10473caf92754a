import { expect, it } from 'vitest'
import type { Charge } from '../../models/quotas/quotas.ts'
import { openRunBudget } from './run-budget.ts'

it('gives back what was charged while the run ended', async () => {
  const told: string[] = []
  const opening: PromiseWithResolvers<void>[] = []
  const charge = async ({ tokens }: { tokens: number }): Promise<Charge> => {
    if (opening.length > 0) await opening[0]?.promise
    told.push(`charge ${tokens}`)
    return {
      settle: async (taken) => void told.push(`settle ${taken} of ${tokens}`),
      refund: async () => void told.push(`refund ${tokens}`),
    }
  }
  const wanted = { userId: 'ada', appId: 'app', counted: 'runs', tokens: 10 } as const
  const budget = await openRunBudget({ quotas: { charge } as never, log: {} as never }, wanted)
  opening.push(Promise.withResolvers<void>())
  const asked = budget.ask(25)
  await budget.close()
  opening[0]?.resolve()
  await asked
  expect(told).toEqual(['charge 10', 'refund 10', 'charge 15', 'refund 15'])
})
