import type { z } from 'zod'
import { attachment, catalogEntry, quotaCaps, sessionEntry } from './agent.ts'
import { app } from './apps.ts'
import { entry } from './files.ts'
import { historyMessage, historyPart } from './history.ts'
import { completed, completion, message, modelPreferences, usage } from './llm.ts'
import { attached, started } from './rules.ts'
import { jobProgress, jobSnapshot, jobState, toolEntry } from './tools.ts'

/** The types that methods share, by the names under which an editor shows them. */
export const sharedTypes: Readonly<Record<string, z.ZodType>> = {
  ToolEntry: toolEntry,
  JobState: jobState,
  JobProgress: jobProgress,
  JobSnapshot: jobSnapshot,
  CompletionMessage: message,
  ModelPreferences: modelPreferences,
  Usage: usage,
  CompletionArgs: completion,
  CompletionResult: completed,
  RunStarted: started,
  RunAttached: attached,
  Attachment: attachment,
  QuotaCaps: quotaCaps,
  SessionEntry: sessionEntry,
  CatalogEntry: catalogEntry,
  HistoryPart: historyPart,
  HistoryMessage: historyMessage,
  FileEntry: entry,
  InstalledApp: app,
}
