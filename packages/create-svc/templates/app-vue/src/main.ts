import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { createApp } from 'vue'
import App from './app.vue'

followTheme(svc)
createApp(App).mount('#app')
await svc.window.ready()
