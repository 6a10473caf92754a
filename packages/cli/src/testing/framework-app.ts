import { symlinkSync } from 'node:fs'
import path from 'node:path'
import type { TinyApp } from './tiny-app.ts'

/** A counter in a framework. */
export interface FrameworkApp {
  readonly name: string
  /** The module with the component, and its text with a label. */
  readonly component: string
  readonly text: (label: string) => string
  /** The files beside it. */
  readonly files: Readonly<Record<string, string>>
}

const configOf = (from: string, name: string, call: string) =>
  `import ${name} from '${from}'\nexport default { plugins: [${call}], cacheDir: '.vite' }\n`
const shown = `import { svc } from './sdk.js'\nawait svc.window.ready()\n`

/** The same counter in each framework. */
export const frameworkApps: readonly FrameworkApp[] = [
  {
    name: 'React',
    component: 'counter.jsx',
    text: (label) => `import { useState } from 'react'
export function Counter() {
  const [clicks, setClicks] = useState(0)
  return <button type="button" onClick={() => setClicks(clicks + 1)}>${label} {clicks}</button>
}
`,
    files: {
      'vite.config.js': configOf('@vitejs/plugin-react', 'react', 'react()'),
      'main.js': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Counter } from './counter.jsx'
createRoot(document.querySelector('main')).render(createElement(Counter))
${shown}`,
    },
  },
  {
    name: 'Vue',
    component: 'counter.vue',
    text: (label) => `<script setup>
import { ref } from 'vue'
const clicks = ref(0)
</script>
<template><button @click="clicks++">${label} {{ clicks }}</button></template>
`,
    files: {
      'vite.config.js': configOf('@vitejs/plugin-vue', 'vue', 'vue()'),
      'main.js': `import { createApp } from 'vue'
import Counter from './counter.vue'
createApp(Counter).mount('main')
${shown}`,
    },
  },
  {
    name: 'Svelte',
    component: 'counter.svelte',
    text: (label) => `<script>
  import { count } from './count.svelte.js'
</script>
<button onclick={() => count.clicks++}>${label} {count.clicks}</button>
`,
    files: {
      // Svelte makes a component anew: what is kept is in the modules that it imports.
      'count.svelte.js': 'export const count = $state({ clicks: 0 })\n',
      'vite.config.js': configOf('@sveltejs/vite-plugin-svelte', '{ svelte }', 'svelte()'),
      'main.js': `import { mount } from 'svelte'
import Counter from './counter.svelte'
mount(Counter, { target: document.querySelector('main') })
${shown}`,
    },
  },
]

/** Makes an app of a framework out of the tiny one. */
export function useFramework(app: TinyApp, { component, text, files }: FrameworkApp): void {
  symlinkSync(path.join(import.meta.dirname, '../../node_modules'), path.join(app.dir, 'node_modules'))
  for (const [name, code] of Object.entries(files)) app.put(name, code)
  app.put(component, text('one'))
}
