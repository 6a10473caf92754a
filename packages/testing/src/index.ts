export { createTestHost, type TestHost, type TestHostOptions } from './create-test-host.ts'
export { TestHostError } from './test-host-error.ts'
