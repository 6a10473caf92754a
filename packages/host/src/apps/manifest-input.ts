import { type Limits, type Manifest, manifestSchema, wrongArg, wrongArgs } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { pathProblem } from '@svc/node/archive'
import { z } from 'zod'

const wrapped = z.object({ manifest: manifestSchema })

/** Reads a manifest as its author wrote it. Errors: `invalid_arg` with the path, the rule and the value. */
export function readManifest(input: unknown, limits: Limits): Manifest {
  const body = { manifest: input }
  const parsed = wrapped.safeParse(body)
  if (!parsed.success) throw wrongArgs(parsed.error, body)
  const { manifest } = parsed.data
  const { entry } = manifest.ui.bundle
  const problem = pathProblem(entry, limits)
  if (problem !== null) throw wrongArg('manifest.ui.bundle.entry', `${problem}, got ${JSON.stringify(entry)}`)
  const bytes = Buffer.byteLength(canonicalJson(manifest))
  if (bytes > limits.MANIFEST_MAX_BYTES)
    throw wrongArg('manifest', `must have at most ${limits.MANIFEST_MAX_BYTES} bytes, got ${bytes}`)
  return manifest
}
