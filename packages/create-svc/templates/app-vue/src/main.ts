import { svc } from '@svc/sdk'
import { createApp } from 'vue'
import App from './app.vue'
import { followTheme } from './follow-theme.ts'

followTheme()
createApp(App).mount('#app')
await svc.window.ready()
