import type { UserConfig } from 'vite'

/** Relative paths, because the host names a bundle's folder by a digest that no build knows. */
export default {
  base: './',
  build: { target: 'esnext', modulePreload: false },
} satisfies UserConfig
