import { sharedThings } from '../document.ts'

/** Forgets what the document has once: who asks next makes it anew. */
export function forget(): void {
  for (const name of Object.keys(sharedThings)) delete sharedThings[name]
}
