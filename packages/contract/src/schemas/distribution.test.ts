import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { explain } from '../methods/define.ts'
import { distributionSchema } from './distribution.ts'

const sha256 = 'a'.repeat(64)
const url = 'https://get.site.org/tool'
const urls = { 'linux-x64': { url, sha256 } }

/** The first thing that is wrong, without the value; `null` where nothing is. */
function fault(input: unknown): string | null {
  const parsed = distributionSchema.safeParse(input)
  return parsed.success ? null : explain(parsed.error, input)
}

/** A distribution that is right but for this. */
const started = (more: object) => ({ type: 'npm', package_name: 'x', ...more })

describe('a distribution', () => {
  verifies.each(['plug.distribution.types', 'plug.distribution.names', 'plug.distribution.integrity'])([
    [{ type: 'uv', package_name: 'weather_tools', executable_name: 'weather' }],
    [{ type: 'npm', package_name: '@site/weather', version: '1.0.0' }],
    [{ type: 'npm', package_name: 'weather' }],
    [{ type: 'npm', package_name: 'weather', version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` }],
    [{ type: 'homebrew', package_name: 'site/tap/weather@2' }],
    [{ type: 'pipx', package_name: 'weather.tools', version: '1.0.0' }],
    [{ type: 'binary', urls, executable_name: 'weather' }],
    [{ type: 'local', path: '/opt/weather.tar.gz' }],
    [{ type: 'local', path: '/opt/mcp', protocol: 'mcp', sampling: true }],
    [{ type: 'npm', package_name: 'mcp', protocol: 'mcp', sampling: false }],
    [{ type: 'binary', urls, executable_name: 'mcp', protocol: 'svc', sampling: true }],
    [
      {
        type: 'npm',
        package_name: 'mcp',
        args: ['--stdio', '${VAULT}', '${HOME}/x', '$${VAULT}'],
        env: {
          API_KEY: { description: 'The key', secret: true, required: true },
          VAULT: { default: '${HOME}/notes' },
          PLACE: '${VAULT}/memory.json',
          LEVEL: '',
        },
        cwd: '${VAULT}',
        start_ms: 120_000,
        session: 'window',
      },
    ],
  ])('%j is one', (input) => expect(distributionSchema.parse(input)).toEqual(input))

  verifies.each('plug.distribution.types')([
    [{}, 'type must be one of'],
    [
      { type: 'pip', package_name: 'x' },
      'type must be one of "uv", "npm", "homebrew", "binary", "pipx", "local"',
    ],
    [{ type: 'npm', package_name: 'x', protocol: 'MCP' }, 'protocol must be one of "svc", "mcp"'],
    [{ type: 'npm', package_name: 'x', sampling: 1 }, 'sampling must be'],
    ['npm', 'args must be'],
    [null, 'args must be'],
  ])('%j is none: %s', (input, sentence) => expect(fault(input)).toContain(sentence))

  verifies.each('plug.distribution.names')([
    ['npm', '--global'],
    ['npm', 'https://evil.example/x.tgz'],
    ['npm', 'a b'],
    ['npm', 'x@1.0.0'],
    ['npm', '../x'],
    ['npm', 'git+ssh://x'],
    ['npm', ''],
    ['npm', 'x'.repeat(215)],
    ['uv', '-r'],
    ['uv', 'x==1.0'],
    ['uv', 'x[all]'],
    ['uv', './x'],
    ['pipx', 'x; rm'],
    ['homebrew', '--cask'],
    ['homebrew', 'a/b'],
    ['homebrew', 'https://evil.example/x.rb'],
  ])('no %s package is called %j', (type, package_name) =>
    expect(fault({ type, package_name })).toMatch(/^package_name must /),
  )

  verifies.each('plug.distribution.names')([
    [{ type: 'npm' }, 'package_name must be a string, got nothing'],
    [{ type: 'npm', package_name: 'x', version: '--x' }, 'version must be one version'],
    [{ type: 'npm', package_name: 'x', integrity: 'sha1-AAAA' }, 'integrity must be sha512- and'],
    [
      { type: 'npm', package_name: 'x', executable_name: '../x' },
      'executable_name must be the name of a file',
    ],
    [{ type: 'npm', package_name: 'x', executable_name: '-x' }, 'executable_name must be the name of a file'],
  ])('%j: %s', (input, sentence) => expect(fault(input)).toContain(sentence))

  verifies.each('plug.distribution.binary')([
    [{ urls: {}, executable_name: 'x' }, 'urls must have a platform such as linux-x64'],
    [
      { urls: { windows: { url, sha256 } }, executable_name: 'x' },
      'urls.windows must be of linux, darwin or win32',
    ],
    [{ urls: { 'linux-x64': { url } }, executable_name: 'x' }, 'urls.linux-x64.sha256 must be a string'],
    [
      { urls: { 'linux-x64': { url, sha256: 'A'.repeat(64) } }, executable_name: 'x' },
      'urls.linux-x64.sha256 must be 64 lower-case hexadecimal digits',
    ],
    [{ urls }, 'executable_name must be a string'],
  ])('%j: %s', (input, sentence) => expect(fault({ type: 'binary', ...input })).toContain(sentence))

  verifies.each('plug.distribution.keys')([
    ['npm', 'arg', 'must not have the key "arg"; did you mean `args`?'],
    ['npm', 'environment', 'must not have the key "environment"'],
    ['npm', 'reach', 'must not have the key "reach"'],
    ['npm', 'path', 'must not have the key "path"'],
    ['uv', 'integrity', 'must not have the key "integrity"'],
    ['npm', 'startMs', 'must not have the key "startMs"; did you mean `start_ms`?'],
  ])('%s with %s: %s', (type, key, sentence) =>
    expect(fault({ type, package_name: 'x', [key]: 'sk-1' })).toBe(`args ${sentence}`),
  )

  verifies.each('plug.distribution.needs')([
    [{ args: 'x' }, 'args must be an array'],
    [{ args: Array.from({ length: 65 }, () => '') }, 'args must have at most 64 items'],
    [{ args: ['a\0'] }, 'args.0 must not hold control characters'],
    [{ args: ['x'.repeat(1_025)] }, 'args.0 must have at most 1024 characters'],
    [{ args: ['${KEY}'] }, 'args.0 must not name ${KEY}: env names no variable'],
    [{ args: ['${KEI}'], env: { KEY: {} } }, 'it is not one of the variables of env (KEY)'],
    [{ args: ['${user_config.key}'] }, 'args.0 must not hold ${user_config.key}: write ${NAME}'],
    [{ env: [] }, 'env must be'],
    [{ env: { KEY: 7 } }, 'env.KEY must be a string'],
    [{ env: { KEY: { secret: 'yes' } } }, 'env.KEY.secret must be a boolean, got "yes"'],
    [
      { env: { KEY: { isSecret: true } } },
      'env.KEY must not have the key "isSecret"; did you mean `secret`?',
    ],
    [{ env: { KEY: { default: 7 } } }, 'env.KEY.default must be a string'],
    [{ env: { KEY: { description: 'a\nb' } } }, 'env.KEY.description must not hold control characters'],
    [{ env: { KEY: 'a\n' } }, 'env.KEY must not hold control characters'],
    [{ env: { 'A-B': '' } }, 'env.A-B must have a name of letters, digits and underscores'],
    [{ env: { '': '' } }, 'env. must have a name'],
    [{ env: { PATH: '/x' } }, 'env.PATH must have another name'],
    [{ env: { A: '${B}', B: 'b' } }, 'env.A must not name ${B}'],
    [{ env: { A: { default: '${A}' } } }, 'env.A.default must not name ${A}'],
    [
      { env: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`K${at}`, ''])) },
      'env must have at most 32 variables',
    ],
    [{ cwd: 'src' }, 'cwd must be an absolute path, or begin with ${NAME}'],
    [{ cwd: '${X}' }, 'cwd must not name ${X}'],
    [{ cwd: '${HOME}/a/../.ssh' }, 'cwd must not hold the folders . or ..'],
    [{ start_ms: 999 }, 'start_ms must be at least 1000'],
    [{ start_ms: 120_001 }, 'start_ms must be at most 120000'],
    [{ start_ms: 1_500.5 }, 'start_ms must be an integer'],
    [{ session: 'app' }, 'session must be one of "call", "window", "agent"'],
  ])('%j: %s', (more, sentence) => expect(fault(started(more))).toContain(sentence))

  verifies.each('plug.distribution.local')([
    ['weather.tar.gz', 'path must be an absolute path'],
    ['./weather', 'path must be an absolute path'],
    ['C:weather', 'path must be an absolute path'],
    ['', 'path must be an absolute path'],
    ['/opt/../etc/weather', 'path must not hold the folders . or ..'],
    ['/opt/./weather', 'path must not hold the folders . or ..'],
    ['/opt/wea\0ther', 'path must not hold control characters'],
    [`/${'x'.repeat(1_024)}`, 'path must have at most 1024 characters'],
  ])('a local path %j: %s', (path, sentence) => expect(fault({ type: 'local', path })).toContain(sentence))

  verifies.each('plug.distribution.local')(['/opt/a..b/x.zip', 'C:\\tools\\weather.exe', '/opt/weather.tgz'])(
    'a local path %j is one',
    (path) => expect(fault({ type: 'local', path })).toBeNull(),
  )
})
