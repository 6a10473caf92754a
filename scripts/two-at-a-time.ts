import { isStopped } from './spawn.mjs'

/** Does some work for each item in order, two at a time: that fills two cores. Begins none once a signal asked to stop. */
export async function twoAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  async function worker(): Promise<void> {
    for (const item of left) if (!isStopped()) await work(item)
  }
  await Promise.all([worker(), worker()])
}
