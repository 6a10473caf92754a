import { sharedThings } from '../document.ts'

/** Forgets what the document has once: who asks next makes it anew. */
export const forget = (): void => sharedThings().clear()
