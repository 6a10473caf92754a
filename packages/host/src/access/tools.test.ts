import { verifies } from '@svc/conformance/verifies'
import { manifestSchema } from '@svc/contract'
import { describe, expect } from 'vitest'
import { parseToolName, toolDenial } from './manifest.ts'

const TOOL = 'tool-ann-stats-1a2b'
const plugin = { tool_id: TOOL, handle: 'stats' }

const manifest = (plugs: { required?: unknown[]; optional?: unknown[]; tools?: string[] }) =>
  manifestSchema.parse({
    schema: 3,
    name: 'App',
    ui: {
      bundle: { entry: 'index.html' },
      views: [{ name: 'main' }],
      host_api: plugs.tools ? { tools: plugs.tools } : {},
    },
    required_plugs: plugs.required ?? [],
    optional_plugs: plugs.optional ?? [],
  })

describe('parseToolName', () => {
  verifies.each(['tools.invoke.split', 'decision.tool_id.first_separator'])([
    ['a.b', 'a', 'b'],
    ['a__b', 'a', 'b'],
    ['a.b__c', 'a', 'b__c'],
    ['a__b.c', 'a', 'b.c'],
    ['a_b.c', 'a_b', 'c'],
    ['a___b', 'a', '_b'],
    ['tool-ann-stats-1a2b.describe', 'tool-ann-stats-1a2b', 'describe'],
  ])('splits %s into %s and %s', (toolId, plugin, tool) => {
    expect(parseToolName(toolId, undefined)).toEqual({ plugin, tool })
  })

  verifies.each(['tools.invoke.method.given', 'decision.tool_id.whole_with_method'])([
    ['a.b', 'c'],
    ['a__b', 'c.d'],
    [TOOL, 'describe'],
  ])('takes %s whole when method is %s', (toolId, method) => {
    expect(parseToolName(toolId, method)).toEqual({ plugin: toolId, tool: method })
  })

  verifies.each(['tools.invoke.split.none', 'tools.invoke.method.required', 'decision.tool_id.empty_half'])([
    [TOOL, undefined, 'method is required'],
    ['plain', undefined, 'method is required'],
    ['.b', undefined, 'must name a plugin and a tool'],
    ['a.', undefined, 'must name a plugin and a tool'],
    ['__b', undefined, 'must name a plugin and a tool'],
    ['a__', undefined, 'must name a plugin and a tool'],
    ['a', '', 'method must have at least 1 character'],
  ])('refuses %s with method %s', (toolId, method, sentence) => {
    expect(() => parseToolName(toolId, method)).toThrow(
      expect.objectContaining({ code: 'invalid_arg', message: expect.stringContaining(sentence) }),
    )
  })
})

describe('toolDenial', () => {
  verifies.each([
    'access.tool.declared',
    'access.tool.required_star',
    'access.tool.optional_star',
    'access.tool.bare',
    'access.tool.required_id',
    'access.tool.optional_id',
    'access.tool.bundled',
    'access.tool.suffix',
    'access.tool.no_list',
  ])([
    ['nothing declared', {}, false],
    ['declared under another id', { required: ['tool-bob-other-9z'] }, false],
    ['listed, not declared', { tools: [TOOL] }, false],
    ['required, no list', { required: [TOOL] }, true],
    ['optional, no list', { optional: [TOOL] }, true],
    ['required by its id in an object', { required: [{ tool_id: TOOL }] }, true],
    ['required by handle', { required: [{ handle: 'stats' }] }, true],
    ['required by the handle as text', { required: ['stats'] }, true],
    ['required, empty list', { required: [TOOL], tools: [] }, true],
    ['required:*', { required: [TOOL], tools: ['required:*'] }, true],
    ['required:* for an optional plug', { optional: [TOOL], tools: ['required:*'] }, false],
    ['optional:*', { optional: [TOOL], tools: ['optional:*'] }, true],
    ['optional:* for a required plug', { required: [TOOL], tools: ['optional:*'] }, false],
    ['the bare id', { required: [TOOL], tools: [TOOL] }, true],
    ['required:<id>', { required: [TOOL], tools: [`required:${TOOL}`] }, true],
    ['optional:<id>', { optional: [TOOL], tools: [`optional:${TOOL}`] }, true],
    ['required:<handle>', { required: [TOOL], tools: ['required:stats'] }, true],
    ['required:<handle> for an optional plug', { optional: [TOOL], tools: ['required:stats'] }, false],
    ['bundled:<handle>', { required: [TOOL], tools: ['bundled:stats'] }, true],
    ['bundled:<another handle>', { required: [TOOL], tools: ['bundled:other'] }, false],
    ['any reference that ends in :<id>', { required: [TOOL], tools: [`market:eu:${TOOL}`] }, true],
    ['a reference that ends in the id without a colon', { required: [TOOL], tools: [`x${TOOL}`] }, false],
    ['a star alone', { required: [TOOL], tools: ['*'] }, false],
    ['another id', { required: [TOOL], tools: ['tool-bob-other-9z'] }, false],
    ['a longer id', { required: [TOOL], tools: [`${TOOL}x`] }, false],
  ])('%s', (_name, plugs, allowed) => {
    const denial = toolDenial(manifest(plugs), plugin)
    expect(denial === null).toBe(allowed)
    if (!allowed) expect(denial).toContain(TOOL)
  })
})
