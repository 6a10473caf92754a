import { firstApp } from './page-parts.ts'

const element = `import { defineSvcWindow } from '@svc/bridge/element'
defineSvcWindow()
${firstApp}`

/** A page and an app in React, without a compiler of JSX. */
export const react = {
  'page/main.js': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { SvcWindow } from '@svc/react/window'
${firstApp}
firstApp().then((appId) => {
  createRoot(document.getElementById('desk')).render(createElement(SvcWindow, { appId, className: 'win' }))
})
`,
  'app/main.js': `import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { svc } from '@svc/sdk'
import { useStored } from '@svc/react'
function App() {
  const stored = useStored('a', { initial: 'nothing' })
  useEffect(() => { if (stored.state === 'ready' || stored.state === 'saved') stored.set('a value') }, [stored.state])
  return createElement('p', null, 'kept: ' + stored.value)
}
createRoot(document.getElementById('desk')).render(createElement(App))
svc.window.ready()
`,
}

// Without its plugin, Vue reads these from the bundler.
const flags = `export default {
  define: { __VUE_OPTIONS_API__: true, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
}
`
/** The same in Vue. */
export const vue = {
  'page/vite.config.mjs': flags,
  'app/vite.config.mjs': flags,
  'page/main.js': `import { createApp, h } from 'vue'
${element}
firstApp().then((appId) => {
  createApp({ render: () => h('svc-window', { appId }) }).mount('#desk')
})
`,
  'app/main.js': `import { createApp, h, watchEffect } from 'vue'
import { svc } from '@svc/sdk'
import { useStored } from '@svc/vue'
createApp({
  setup() {
    const stored = useStored('a', { initial: 'nothing' })
    watchEffect(() => { if (stored.value.state === 'ready' || stored.value.state === 'saved') stored.value.set('a value') })
    return () => h('p', 'kept: ' + stored.value.value)
  },
}).mount('#desk')
svc.window.ready()
`,
}

/** An app in Svelte. */
export const svelte = {
  'app/vite.config.mjs': `import { compile } from 'svelte/compiler'
const plugin = {
  name: 'svelte',
  transform: (code, id) => id.endsWith('.svelte') ? { code: compile(code, { filename: id, generate: 'client' }).js.code, map: null } : null,
}
export default { plugins: [plugin], resolve: { conditions: ['svelte', 'browser', 'module', 'import', 'default'] } }
`,
  'app/App.svelte': `<script>
  import { useStored } from '@svc/svelte'
  const stored = useStored('a', { initial: 'nothing' })
  $effect(() => { if (stored.state === 'ready' || stored.state === 'saved') stored.set('a value') })
</script>
<p>kept: {stored.value}</p>
`,
  'app/main.js': `import { mount } from 'svelte'
import { svc } from '@svc/sdk'
import App from './App.svelte'
mount(App, { target: document.getElementById('desk') })
svc.window.ready()
`,
}
