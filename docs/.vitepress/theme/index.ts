import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { VersionMenu } from './version-menu.ts'
import './theme.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('VersionMenu', VersionMenu),
} satisfies Theme
