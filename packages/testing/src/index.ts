export { TestHostError } from './errors/test-host-error.ts'
export type { Faults, GrantName } from './faults/faults.ts'
export type { Bend, BendRow, FrontAnswer } from './front/bend.ts'
export { type BendingFront, type BendingFrontOptions, createBendingFront } from './front/bending-front.ts'
export { type BendName, bendTable } from './front/bends.ts'
export { replaced } from './front/bodies.ts'
export { createTestHost, type TestHost, type TestHostOptions } from './host/create-test-host.ts'
export type {
  ModelAnswer,
  ModelCall,
  ModelError,
  ModelMessage,
  ModelQuestion,
  ModelScript,
  ModelUsage,
  ScriptedModelOptions,
  TestModels,
} from './models/script.ts'
export type { TestClock } from './time/test-clock.ts'
export type { TestTools, ToolCall, ToolFunction } from './tools/tools.ts'
export type { TestWindow, WindowOptions } from './windows/windows.ts'
