import { about } from '@svc/conformance/testing/archives'
import { tarCases } from '@svc/conformance/testing/tar-cases'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { expect } from 'vitest'
import { readArchive } from './read.ts'

verifies.each('archive.bounds')(about(tarCases, 'bounds'))(
  '%s is refused',
  async (_name, { bytes, says, gz }) => {
    const type = gz ? 'application/gzip' : 'application/x-tar'
    await expect(readArchive(type, bytes(), limits)).rejects.toMatchObject({
      code: 'invalid_arg',
      message: expect.stringMatching(says),
    })
  },
)
