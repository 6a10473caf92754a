import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import type { Content, PlugRow, SnapshotRow } from '../../catalog/plug-row.ts'
import { contentOfLive, contentOfVersion } from './content.ts'

const content: Content = {
  manifest: { name: 'Sky', tools: [] },
  distribution: { type: 'npm', package_name: 'sky', version: '1.0.0' },
}
const row: SnapshotRow = {
  ...content,
  tool_id: 'tool-eve-sky',
  owner: 'eve',
  size_bytes: 25,
  seq: 1,
  version: '1.0.0',
  status: 'active',
  reason: null,
  successor: null,
  created_at: 1_767_225_600_000,
}
const live: PlugRow = {
  ...content,
  owner: 'eve',
  name: 'Sky',
  type: 'tool',
  version: '1.0.0',
  visibility: 'private',
  logo_url: null,
  readme: null,
  sample_prompts: [],
  tags: [],
  created_at: 1,
  updated_at: 2,
  removed_at: null,
}

verifies(
  'plug.install.frozen',
  'a frozen version is installed as of its time, and a live record as of now',
  () => {
    expect(contentOfVersion('eve', row, limits).spec?.frozenAt).toBe(row.created_at)
    expect(contentOfLive('tool-eve-sky', live, limits).spec?.frozenAt).toBeUndefined()
  },
)
