import { publisherText } from '@svc/contract/publisher'
import { visibleLine } from '@svc/contract/visible-text'
import { AppMark } from '../components/app-mark.tsx'
import { useDesk } from '../components/use-desk.ts'
import { pluginStatus } from '../manage/plugin-status.ts'
import { visibilityRows } from '../manage/visibility.ts'
import { goTo } from '../state/manage-state.ts'
import type { ListedPlug } from '../state/plug.ts'
import { Chip } from './chip.tsx'
import { CopiedValue } from './copied-value.tsx'
import styles from './manage-page.module.css'
import { GiveValues } from './variables.tsx'

/** A plugin in a list. An own one leads to its page; of any other the id is what a manifest needs. */
export function PluginRow({ plug }: { plug: ListedPlug }) {
  const desk = useDesk()
  const { tool_id, type, version, visibility, own, publisher, tools, tags } = plug
  const { word, tone, sentence } = pluginStatus(type, plug)
  const name = visibleLine(plug.name)
  const stands = own || plug.configured || plug.variables.length > 0
  return (
    <li className={styles.card}>
      <div className={styles.rowHead}>
        <AppMark name={name} slug={tool_id} />
        <div className={styles.names}>
          {own ? (
            <button
              className={styles.nameLink}
              data-tool={tool_id}
              onClick={() => desk.change(goTo({ at: 'own', toolId: tool_id }))}
              type="button"
            >
              {name}
            </button>
          ) : (
            <span className={styles.name}>
              <bdi>{name}</bdi>
            </span>
          )}
          <p className={styles.soft}>
            {type} · version {version}
            {own && ` · ${visibilityRows[visibility].label.toLowerCase()}`}
          </p>
        </div>
        {stands && <Chip tone={tone}>{word}</Chip>}
      </div>
      {!own && publisher && <p className={styles.text}>by {publisherText(publisher)}</p>}
      {stands && <p className={styles.soft}>{sentence}</p>}
      {tools.length > 0 && <p className={styles.text}>Tools: {visibleLine(tools.join(', '))}</p>}
      {tags.length > 0 && <p className={styles.soft}>{visibleLine(tags.join(' · '))}</p>}
      {!own && plug.variables.length > 0 && <GiveValues name={name} toolId={tool_id} />}
      {!own && <CopiedValue label={`Tool id of ${name}`} value={tool_id} />}
    </li>
  )
}
