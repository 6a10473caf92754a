/** A value that is looked for in JSON text, and what was found. */
export interface Spot {
  /** Where it begins; -1 where there is none. Behind the colon, where no more of it has come. */
  from: number
  /** Behind its last byte; -1 as long as it has not ended. */
  to: number
  /** How many bytes less it takes without white space and needless escapes, once it has ended. */
  spare: number
  /** What is looked for in it, where it is an object. */
  readonly members: ReadonlyMap<string, Spot> | undefined
}

/** Makes one with nothing found. */
export const spot = (members?: Readonly<Record<string, Spot>>): Spot => ({
  from: -1,
  to: -1,
  spare: 0,
  members: members && new Map(Object.entries(members)),
})

/** Forgets what was found. */
export function clearSpot(one: Spot): void {
  one.from = -1
  one.to = -1
  if (one.members) for (const member of one.members.values()) clearSpot(member)
}
