import { built } from './row.ts'

/** What the host reads of a manifest. */
export const manifest = [
  ...built('docs/reference/manifest.md', {
    'manifest.entry': 'ui.bundle.entry names the entry file and is required.',
    'manifest.views': 'ui.views lists views by name; one may be marked as default.',
    'manifest.llm': 'ui.host_api.llm is a list of method names.',
    'manifest.agent.auto': 'ui.host_api.agent.session.auto is a boolean and false when absent.',
    'manifest.agent.fixed': 'ui.host_api.agent.session.fixed is null or an object with client_ids.',
    'manifest.agent.fixed.empty': 'An empty list of client_ids is a valid form of fixed.',
    'manifest.agent.tools': 'ui.host_api.agent.tools is a list of names.',
    'manifest.storage': 'ui.host_api.storage lists get, set, delete, list or *.',
    'manifest.tools': 'ui.host_api.tools is an optional list of references to tools.',
    'manifest.namespaces': 'Any other namespace in ui.host_api is a list of method names or *.',
    'manifest.plugs': 'required_plugs and optional_plugs are lists; absent ones are empty.',
    'manifest.permissions.schema3': 'At schema 3 a top-level permissions list is refused.',
    'manifest.permissions.legacy': 'At schema 1 and 2 a top-level permissions list is accepted.',
  }),
  ...built('0050-keys-of-a-manifest', {
    'manifest.unknown_keys':
      'svc app lint and svc dev refuse a key of a manifest that nobody reads, and name the one that was meant.',
  }),
  ...built('0040-what-plugins-ask', {
    'manifest.plugin.host_capabilities': 'A plugin lists in host_capabilities what it may ask of the host.',
  }),
] as const
