import type { CommandDef } from 'citty'

/** A command: what `--help` says of it, and how it is read. */
interface Row {
  readonly description: string
  /** Reads the command when it is asked for: nobody who checks a plugin waits for Vite. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  readonly load?: () => Promise<CommandDef<any>>
  readonly commands?: CommandTable
  /** Whether behind two dashes comes the command of a plugin. */
  readonly takesCommand?: boolean
}

type CommandTable = Readonly<Record<string, Row>>

/** The commands of svc by their names. */
export const commands: CommandTable = {
  dev: {
    description: 'Starts apps on this machine, with their tools and the page of windows.',
    load: async () => (await import('./dev.ts')).dev,
  },
  serve: {
    description:
      'Starts a host from a config file, with your sign-in; it keeps its data in ./svc-data beside the file unless told otherwise.',
    load: async () => (await import('./serve.ts')).serve,
  },
  plug: {
    description: 'Checks, calls, types and publishes tool plugins.',
    commands: {
      check: {
        description: 'Runs the plugin protocol against a command: svc plug check [options] -- node plugin.ts',
        takesCommand: true,
        load: async () => (await import('./plug/check.ts')).check,
      },
      call: {
        description: 'Calls one tool of a plugin on this machine: svc plug call [options] -- node plugin.ts',
        takesCommand: true,
        load: async () => (await import('./plug/call.ts')).call,
      },
      publish: {
        description: 'Publishes the plugin of a folder, as its svc.plug.json says.',
        load: async () => (await import('./plug/publish.ts')).publish,
      },
      list: {
        description: 'Lists your plugins and those that you may use.',
        load: async () => (await import('./plug/list.ts')).list,
      },
      set: {
        description: 'Gives a plugin a key or another value, from stdin or as you type it.',
        load: async () => (await import('./plug/set.ts')).set,
      },
      types: {
        description: 'Writes the types of the tools of a plugin: svc plug types [options] -- node plugin.ts',
        takesCommand: true,
        load: async () => (await import('./plug/types.ts')).types,
      },
    },
  },
  app: {
    description: 'Checks, pushes and releases apps, and finds them again.',
    commands: {
      lint: {
        description: 'Checks an app: manifest, entry file, files, methods that it may call.',
        load: async () => (await import('./app/lint.ts')).lint,
      },
      check: {
        description:
          'Drives an app in Chromium: reload, denied grants, a host that goes away, keyboard, dark.',
        load: async () => (await import('./app/check.ts')).check,
      },
      push: {
        description: 'Builds an app and pushes it as your draft; the first push registers it.',
        load: async () => (await import('./app/push.ts')).push,
      },
      release: {
        description: 'Freezes your draft of an app under a version: svc app release 1.2.0',
        load: async () => (await import('./app/release.ts')).release,
      },
      list: {
        description: 'Lists your apps, or the versions of one: svc app list notes',
        load: async () => (await import('./app/list.ts')).list,
      },
      pull: {
        description:
          'Downloads what you pushed of an app (the built bundle, not its sources): svc app pull notes',
        load: async () => (await import('./app/pull.ts')).pull,
      },
    },
  },
  data: {
    description: 'Checks, backs up and restores the data of svc serve.',
    commands: {
      check: {
        description:
          'Checks a data folder, also while a host uses it: files, check sums, indexes, journals and blobs. Changes nothing.',
        load: async () => (await import('./data/check.ts')).check,
      },
      backup: {
        description:
          'Writes the data of hosts into one file, while they may use it: a tar of JSON lines and blobs.',
        load: async () => (await import('./data/backup.ts')).backup,
      },
      restore: {
        description:
          'Makes a data folder of a backup. It is there whole or not at all; an old folder is never touched.',
        load: async () => (await import('./data/restore.ts')).restore,
      },
      export: {
        description: 'The same as svc data backup: a backup is in the format that every driver reads.',
        load: async () => (await import('./data/backup.ts')).backup,
      },
      import: {
        description:
          'The same as svc data restore: into a folder, or PostgreSQL and Redis, whichever driver wrote the file.',
        load: async () => (await import('./data/restore.ts')).restore,
      },
      stats: {
        description: 'Counts what a data folder holds, also while a host uses it.',
        load: async () => (await import('./data/stats.ts')).stats,
      },
    },
  },
  types: {
    description: 'Writes the types of the tools that an app may call, as its plugins describe them.',
    load: async () => (await import('./types.ts')).types,
  },
  doctor: {
    description:
      'Says what this machine has for running plugins, and what is wrong with PostgreSQL, Redis and the proxy of hosts.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  runner: {
    description: 'Connects this machine to a host, which runs your published plugins on it.',
    load: async () => (await import('./runner.ts')).runner,
  },
}
