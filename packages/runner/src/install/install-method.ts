import type { CommandPart } from './command-part.ts'

/** How one distribution comes onto this machine: it is there already, or a fresh folder is filled with it. */
export type InstallMethod =
  | { readonly command: readonly string[] }
  | {
      /** What makes two installs of a plugin the same. */
      readonly identity: readonly string[]
      /** Fills the folder and returns what starts it. Throws what went wrong, and soon after `signal` fires. */
      fill(folder: string, signal: AbortSignal): Promise<readonly CommandPart[]>
    }
