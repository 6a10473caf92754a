import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { chosenGrants, extraItems, grantItems } from '../manage/grants.ts'
import { APPS } from '../state/apps.ts'
import { extraPlugs, type Install, plugsText, versionText } from '../state/install.ts'
import styles from './manage-page.module.css'

/** Installs a version with what its user allows it by check boxes: what was allowed stays so, what is asked besides is not. */
export function Consent({
  app,
  wanted: { version, asks, plugs },
  word,
}: {
  app: Install
  wanted: NonNullable<Install['newer']>
  word: string
}) {
  const { ask } = useDesk()
  const given = grantItems(app.grants, [...plugs, ...app.plugs])
  const extra = extraItems(app.grants, asks, plugs)
  const more = extraPlugs(app.plugs, plugs)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(given.map(({ id }) => id)))
  const install = useAct(`install ${app.app_id}`, async () => {
    const body = { app_id: app.app_id, version, grants: chosenGrants(app.grants, asks, chosen) }
    await ask('POST /api/v1/svc-apps/installs', { body })
    return { said: `${app.name} is installed as ${versionText(version)}`, reads: APPS }
  })
  const boxes = (items: typeof given) =>
    items.map(({ id, sentence }) => (
      <Checkbox
        checked={chosen.has(id)}
        key={id}
        label={sentence}
        onChange={(event) => {
          const { checked } = event.currentTarget
          setChosen(new Set(checked ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
        }}
      />
    ))
  return (
    <AskFirst act={install} does={word} isHarmless keep="Cancel" name={`${word}: ${app.name}`} word={word}>
      {more.length > 0 && <p className={styles.text}>It would also use these plugins: {plugsText(more)}</p>}
      {extra.length > 0 ? (
        <fieldset className={styles.fieldset}>
          <legend>It also asks you to let it</legend>
          {boxes(extra)}
        </fieldset>
      ) : (
        more.length === 0 && <p className={styles.text}>It asks for nothing besides what you allowed.</p>
      )}
      {given.length > 0 && (
        <fieldset className={styles.fieldset}>
          <legend>You let it already</legend>
          {boxes(given)}
        </fieldset>
      )}
    </AskFirst>
  )
}
