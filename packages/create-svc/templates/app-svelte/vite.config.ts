import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

/** Relative paths, because the host names a bundle's folder by a digest that no build knows. */
export default defineConfig({
  base: './',
  build: { target: 'esnext', modulePreload: false },
  plugins: [svelte()],
  // Tests run in Node, where Svelte would take what renders on a server.
  ...(process.env.VITEST && { resolve: { conditions: ['browser'] } }),
})
