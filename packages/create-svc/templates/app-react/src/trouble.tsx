import { readTrouble } from './trouble.ts'

/** An error as a user reads it: what happened, its code where the host gave one, and what to do about it. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { code, message, hint } = readTrouble(error)
  return (
    <p className="trouble" role="alert">
      {code !== undefined && <code>{code} </code>}
      {message} {hint}
    </p>
  )
}
