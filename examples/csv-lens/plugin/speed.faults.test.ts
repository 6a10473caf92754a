import { beforeEach, describe, expect, it } from 'vitest'
import { journeys, nodePlugin, pythonPlugin } from './both-plugins.ts'
import { startRawPlugin } from './raw-plugin.ts'

/**
 * What a user waits for a table of 100 000 rows without wondering, in ms; a cold process included. It is measured in CPU
 * time of the process, which other work of the machine is no part of.
 */
const PATIENCE_MS = 1500

for (const { language, command, skip: isMissing } of [nodePlugin, pythonPlugin]) {
  describe(`the ${language} plugin`, () => {
    beforeEach(({ skip }) => {
      skip(isMissing, 'there is no python3 of at least 3.9 on PATH')
      skip(process.platform !== 'linux', 'the CPU time of a process stands in /proc: Linux alone has it')
    })

    it(`describes the journeys within ${PATIENCE_MS} ms of its start`, async () => {
      const plugin = startRawPlugin(command)
      const params = { name: 'describe_csv', args: { csv: journeys, name: 'journeys.csv' } }
      const reply = await plugin.ask({ id: 1, method: 'call', params })
      const cold = plugin.cpuMs()
      await plugin.ask({ id: 2, method: 'call', params })
      const warm = plugin.cpuMs() - cold
      expect(reply).toMatchObject({ result: { output: { rows: 100_000 } } })
      console.log(`${language}: ${cold.toFixed(0)} ms from a cold start, ${warm.toFixed(0)} ms warm`)
      expect(cold).toBeLessThan(PATIENCE_MS)
      expect(await plugin.end()).toBe(0)
    })
  })
}
