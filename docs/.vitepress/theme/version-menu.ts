import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref } from 'vue'
import type { SiteTheme } from '../config.ts'

/** The versions of the site: each is a folder beside this one, and a file beside the folders names them. */
export const VersionMenu = defineComponent(() => {
  const { theme } = useData<SiteTheme>()
  const { version, versions } = theme.value
  const names = ref([version])
  onMounted(async () => {
    const answer = versions === null ? null : await fetch(versions)
    if (answer?.ok) names.value = await answer.json()
  })
  const open = ({ target }: Event) => {
    location.assign(withBase(`/../${(target as HTMLSelectElement).value}/`))
  }
  const options = () => names.value.map((name) => h('option', { selected: name === version }, name))
  return () => h('select', { class: 'version-menu', 'aria-label': 'Version', onChange: open }, options())
})
