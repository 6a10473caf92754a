/** The files of Chromium and of faults that run alone, by what a file beside them would spoil. All others run two at a time. */
export const aloneTests = {
  'a fixed bound on the real clock, of a few seconds at most': [
    'examples/csv-lens/plugin/speed.faults.test.ts',
    'examples/folder-index/plugin/cancel.faults.test.ts',
    'packages/bridge/src/calls.chromium.test.ts',
    'packages/bridge/src/documents.chromium.test.ts',
    'packages/bridge/src/frames.chromium.test.ts',
    'packages/bridge/src/reload.faults.test.ts',
    'packages/conformance/src/apart.chromium.test.ts',
    'packages/conformance/src/floods.chromium.test.ts',
    'packages/conformance/src/page.faults.test.ts',
    'packages/conformance/src/plugin-jobs.faults.test.ts',
    'packages/conformance/src/reload.faults.test.ts',
    'packages/conformance/src/remote-runner.faults.test.ts',
    'packages/conformance/src/remote-sizes.faults.test.ts',
    'packages/conformance/src/runs-cancel.chromium.test.ts',
    'packages/conformance/src/stalled-readers.faults.test.ts',
    'packages/host/src/edge/http/call-socket.faults.test.ts',
    'packages/host/src/edge/http/routes/run-stream.faults.test.ts',
    'packages/host/src/edge/http/stalled.faults.test.ts',
    'packages/host/src/events/frames-cut.faults.test.ts',
    'packages/mcp/src/hostile.faults.test.ts',
    'packages/runner/src/corpus.faults.test.ts',
    'packages/runner/src/install/cut.faults.test.ts',
    'packages/sdk/src/svc.chromium.test.ts',
    'packages/state-sqlite/src/upkeep.faults.test.ts',
  ],
  'the CPU time of a thread, which shares its caches with whoever else computes; it fills a core by itself': [
    'packages/conformance/src/link-turns.faults.test.ts',
    'packages/conformance/src/long-bodies.faults.test.ts',
    'packages/conformance/src/loop.faults.test.ts',
    'packages/conformance/src/pauses.faults.test.ts',
    'packages/runner/src/flood.faults.test.ts',
  ],
  'the memory of the machine': ['packages/runner/src/isolation/hostile.faults.test.ts'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Returns those whose names end so. */
export const aloneWith = (ending: `.${string}`): string[] =>
  Object.values(aloneTests)
    .flat()
    .filter((file) => file.endsWith(ending))
