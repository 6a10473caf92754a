import { limits } from '../limits/index.ts'
import { hasControls, isAbsolutePath, isPlainPath } from '../values/absolute-path.ts'
import { EXECUTABLE_NAME, PACKAGE_NAMES, PACKAGE_VERSION } from '../values/package-names.ts'
import { strictObject } from '../values/strict-object.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { judgeNames, needsShape } from './needs-schema.ts'

const PLATFORM = /^(linux|darwin|win32)-(x64|arm64)$/

const executable = text(limits.NAME_MAX_CHARS).regex(
  EXECUTABLE_NAME,
  'must be the name of a file: letters, digits, dots, dashes, pluses and underscores',
)
/** A path of a machine, as no other file can be meant by it. */
export const absolutePath = text(limits.DISTRIBUTION_PATH_MAX_CHARS)
  .refine(isAbsolutePath, 'must be an absolute path on the machine of the runner')
  .refine((value) => !hasControls(value), 'must not hold control characters')
  .refine(isPlainPath, 'must not hold the folders . or .., nor two slashes in a row')
const packageVersion = text(limits.PLUG_VERSION_MAX_CHARS).regex(
  PACKAGE_VERSION,
  'must be one version, such as 1.0.0',
)

const packaged = <Type extends keyof typeof PACKAGE_NAMES, More extends object>(type: Type, more: More) =>
  strictObject({
    type: z.literal(type),
    package_name: text(limits.DISTRIBUTION_NAME_MAX_CHARS).regex(
      PACKAGE_NAMES[type],
      `must be the name of one ${type} package, without version, URL or option`,
    ),
    executable_name: executable.optional(),
    version: packageVersion.optional(),
    ...more,
    ...needsShape,
  })

/** What npm calls `dist.integrity`: the digest of the archive of one version. */
const integrity = z
  .string()
  .regex(/^sha512-[A-Za-z0-9+/]{86}==$/, 'must be sha512- and the digest in base64, as npm view tells it')
  .optional()

const localSchema = strictObject({
  type: z.literal('local'),
  path: absolutePath,
  executable_name: executable.optional(),
  ...needsShape,
})
const binarySchema = strictObject({
  type: z.literal('binary'),
  urls: z
    .record(
      z.string(),
      strictObject({
        url: z.string(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'),
      }),
    )
    .superRefine((urls, check) => {
      const names = Object.keys(urls)
      if (names.length === 0)
        check.addIssue({ code: 'custom', message: 'must have a platform such as linux-x64' })
      for (const one of names)
        if (!PLATFORM.test(one))
          check.addIssue({
            code: 'custom',
            path: [one],
            message: 'must be of linux, darwin or win32 and x64 or arm64, such as linux-x64',
          })
    }),
  executable_name: executable,
  ...needsShape,
})

/** Where a plugin comes from, by its type. */
export const distributionSchema = z
  .discriminatedUnion(
    'type',
    [
      localSchema,
      binarySchema,
      packaged('npm', { integrity }),
      packaged('uv', {}),
      packaged('pipx', {}),
      packaged('homebrew', {}),
    ],
    { error: 'must be one of "uv", "npm", "homebrew", "binary", "pipx", "local"' },
  )
  .superRefine(judgeNames)

/** A plugin's distribution. */
export type Distribution = z.output<typeof distributionSchema>
