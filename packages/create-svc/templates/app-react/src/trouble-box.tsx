import { readTrouble } from './trouble.ts'

/** An error as a user reads it: what happened, and what to do about it. */
export function TroubleBox({ error }: { readonly error: unknown }) {
  const { code, text } = readTrouble(error)
  return (
    <p className="trouble" role="alert" data-code={code}>
      {text}
    </p>
  )
}
