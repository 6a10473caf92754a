import type { EnvironmentModuleGraph, EnvironmentModuleNode, TransformResult } from 'vite'

/** What the modules of an app were when all of them could be compiled last. */
export function openGoodTexts() {
  const texts = new WeakMap<EnvironmentModuleNode, TransformResult>()
  return {
    /** Notes modules that are about to be compiled again. */
    note(modules: Iterable<EnvironmentModuleNode> = []): void {
      for (const module of modules) if (module.transformResult) texts.set(module, module.transformResult)
    },
    /** Has Vite serve modules as they were; those that were never good stay as they are. */
    serve(graph: EnvironmentModuleGraph, modules: Iterable<EnvironmentModuleNode>): void {
      for (const module of modules) {
        const text = texts.get(module)
        if (text) graph.updateModuleTransformResult(module, text)
      }
    },
  }
}
