import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import type { Panel } from '../panels/panels.tsx'
import { PANEL_ID } from './side.tsx'

/** The largest number that stands on a button. */
const SHOWN_MAX = 99

const useNone = () => 0

/** Opens and shuts a panel, and says how much of it waits. */
export function PanelButton({ panel }: { panel: Panel }) {
  const { id, label, icon, useCount = useNone, counted } = panel
  const desk = useDesk()
  const open = useDeskState((state) => state.panel === id)
  const count = useCount()
  const name = count > 0 ? `${label}, ${count} ${counted}` : label
  return (
    <Tooltip label={name}>
      <Indicator
        disabled={count === 0}
        inline
        label={count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
        offset={4}
        size={15}
      >
        <ActionIcon
          aria-controls={PANEL_ID}
          aria-expanded={open}
          aria-label={name}
          color={open ? 'indigo' : 'gray'}
          onClick={() => desk.setPanel(open ? null : id)}
          size="lg"
          variant={open ? 'light' : 'subtle'}
        >
          {icon}
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
