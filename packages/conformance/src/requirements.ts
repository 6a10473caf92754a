import { accounts } from './requirements/accounts.ts'
import { agent } from './requirements/agent.ts'
import { appCheck } from './requirements/app-check.ts'
import { archives } from './requirements/archives.ts'
import { bindings, writtenBindings } from './requirements/bindings.ts'
import { calls } from './requirements/calls.ts'
import { chat } from './requirements/chat.ts'
import { cluster } from './requirements/cluster.ts'
import { create } from './requirements/create.ts'
import { data } from './requirements/data.ts'
import { decisions } from './requirements/decisions.ts'
import { errors } from './requirements/errors.ts'
import { hmr } from './requirements/hmr.ts'
import { hosts } from './requirements/hosts.ts'
import { jobs } from './requirements/jobs.ts'
import { kept } from './requirements/kept.ts'
import { limits } from './requirements/limits.ts'
import { load } from './requirements/load.ts'
import { manifest } from './requirements/manifest.ts'
import { mcp } from './requirements/mcp.ts'
import { modelsAndMedia } from './requirements/models.ts'
import { others } from './requirements/others.ts'
import { packages } from './requirements/packages.ts'
import { platforms } from './requirements/platforms.ts'
import { publishing } from './requirements/publishing.ts'
import { reach } from './requirements/reach.ts'
import { routes } from './requirements/routes.ts'
import type { Requirement } from './requirements/row.ts'
import { rpc } from './requirements/rpc.ts'
import { runners } from './requirements/runners.ts'
import { runs } from './requirements/runs.ts'
import { stdio } from './requirements/stdio.ts'
import { storage } from './requirements/storage.ts'
import { streams } from './requirements/streams.ts'
import { surface } from './requirements/surface.ts'
import { theme } from './requirements/theme.ts'
import { tokens } from './requirements/tokens.ts'
import { tools } from './requirements/tools.ts'
import { types } from './requirements/types.ts'
import { walls } from './requirements/walls.ts'
import { window } from './requirements/window.ts'

const rows = [
  ...accounts,
  ...rpc,
  ...manifest,
  ...tokens,
  ...window,
  ...tools,
  ...jobs,
  ...chat,
  ...storage,
  ...agent,
  ...runs,
  ...modelsAndMedia,
  ...others,
  ...routes,
  ...stdio,
  ...mcp,
  ...packages,
  ...publishing,
  ...runners,
  ...hosts,
  ...errors,
  ...limits,
  ...calls,
  ...streams,
  ...walls,
  ...reach,
  ...load,
  ...surface,
  ...types,
  ...hmr,
  ...theme,
  ...bindings,
  ...writtenBindings,
  ...platforms,
  ...create,
  ...appCheck,
  ...data,
  ...decisions,
  ...archives,
  ...kept,
  ...cluster,
]

/** The id of a requirement. */
export type RequirementId = (typeof rows)[number]['id']

/**
 * Every rule of svc that can be checked, as a row: what must hold, which ruling or page says so, and whether it is
 * built. Tests cite rows by id; a gate keeps the two together.
 */
export const requirements: readonly Requirement<RequirementId>[] = rows
