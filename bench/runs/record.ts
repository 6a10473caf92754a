import type { Result } from '../lib/result.ts'
import { writeRun } from './files.ts'
import { loadNow, type Machine, thisCommit } from './machine.ts'
import { type Run, runName } from './run.ts'

/** Keeps what the measurements of a run return; the file is written after each, so that a run that is cut has the first. */
export function openRecord(machine: Machine) {
  const { commit, isClean } = thisCommit()
  const startedAt = new Date().toISOString()
  const load = loadNow()
  const measurements: string[] = []
  const results: Result[] = []
  return {
    /** Keeps what a measurement returned and writes the file, whose path it returns; a measurement may return no tables. */
    async add(measurement: string, returned: unknown): Promise<string> {
      measurements.push(measurement)
      results.push(...[returned].flat().filter(isResult))
      const run: Run = {
        name: runName(startedAt, commit),
        startedAt,
        commit,
        isClean,
        machine,
        load: { start: load, end: loadNow() },
        measurements,
        results,
      }
      return writeRun(run)
    },
  }
}

const isResult = (value: unknown): value is Result =>
  typeof value === 'object' && value !== null && 'title' in value && 'rows' in value
