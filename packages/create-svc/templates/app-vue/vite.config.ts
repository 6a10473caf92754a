import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** Relative paths, because the host names a bundle's folder by a digest that no build knows. */
export default defineConfig({
  base: './',
  build: { target: 'esnext', modulePreload: false },
  plugins: [vue()],
})
