import { Button, TextInput } from '@mantine/core'
import { visibleLine } from '@svc/contract/visible-text'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../components/host-list.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk, useIsIn } from '../components/use-desk.ts'
import type { PlugVariable } from '../state/plug.ts'
import { PLUGS, plugKey } from './lists.ts'
import styles from './manage-page.module.css'

/** Opens what a plugin needs from its user, where it needs anything. */
export function GiveValues({ toolId, name }: { toolId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div className={styles.row}>
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Values for {name}
        </Button>
      </div>
      {isOpen && <Variables name={name} toolId={toolId} />}
    </>
  )
}

/** The variables of a plugin and what the user gave them: a secret is typed and never shown. */
export function Variables({ toolId, name }: { toolId: string; name: string }) {
  const { ask } = useDesk()
  const params = { tool_id: toolId }
  const key = [...plugKey(toolId), 'variables']
  const query = useQuery({
    queryKey: key,
    queryFn: () => ask('GET /plugs/{tool_id}/variables', { params }),
    enabled: useIsIn(),
  })
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const save = useAct(`values ${toolId}`, async () => {
    // What is emptied is taken back.
    const values = Object.fromEntries([...typed].map(([one, text]) => [one, text === '' ? null : text]))
    const saved = await ask('PUT /plugs/{tool_id}/variables', { params, body: { values } })
    setTyped(new Map())
    const { missing } = saved
    const said = missing.length > 0 ? `${name} still needs ${missing.join(', ')}` : `${name} has its values`
    return { told: [key, saved], said, reads: PLUGS }
  })
  const type = (variable: string, text: string) => setTyped(new Map([...typed, [variable, text]]))
  return (
    <section aria-label={`Values for ${name}`} className={styles.section}>
      <Problem query={query} things="values" />
      {query.data?.variables.map((one) => (
        <ValueField
          key={one.name}
          onType={(text) => type(one.name, text)}
          typed={typed.get(one.name)}
          variable={one}
        />
      ))}
      <TroubleNote act={save} />
      {query.data?.variables.length === 0 && <p className={styles.soft}>It takes no values.</p>}
      {query.data && query.data.variables.length > 0 && (
        <div className={styles.row}>
          <Button
            disabled={typed.size === 0}
            loading={save.isBusy}
            onClick={save.run}
            size="sm"
            variant="filled"
          >
            Save values
          </Button>
        </div>
      )}
    </section>
  )
}

function ValueField({
  variable,
  typed,
  onType,
}: {
  variable: PlugVariable
  typed: string | undefined
  onType: (text: string) => void
}) {
  const { name, secret, required, is_set, value } = variable
  const shared = {
    autoComplete: 'off',
    description: helpOf(variable),
    label: name,
    onChange: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
    placeholder: secret && is_set ? 'Given, and not shown' : (variable.default ?? ''),
    value: typed ?? value ?? '',
    withAsterisk: required,
  }
  if (!secret) return <TextInput {...shared} />
  return (
    <>
      <TextInput {...shared} autoComplete="new-password" type="password" />
      {is_set && typed === undefined && (
        <div className={styles.row}>
          <Button onClick={() => onType('')}>Take {name} back</Button>
        </div>
      )}
      {is_set && typed === '' && <p className={styles.soft}>{name} is taken back when you save.</p>}
    </>
  )
}

const folders = {
  read: 'The absolute path of a folder on your machine. The plugin may read what is in it.',
  write: 'The absolute path of a folder on your machine. The plugin may read and change what is in it.',
} as const

/** What its author says of it, and what a folder is. */
const helpOf = ({ description, folder }: PlugVariable): string =>
  [visibleLine(description ?? ''), folder === null ? '' : folders[folder]]
    .filter((one) => one !== '')
    .join(' · ')
