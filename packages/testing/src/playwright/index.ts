export { type OpenAppOptions, type OpenedApp, openApp } from './open-app.ts'
