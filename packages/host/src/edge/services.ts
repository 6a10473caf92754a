import type { UserDataServices } from '../user-data/services.ts'

/** All that calls and routes use. */
export type Services = UserDataServices
