import { Button } from '@mantine/core'
import { AppMark } from '../components/app-mark.tsx'
import { AskFirst } from '../components/ask-first.tsx'
import cards from '../components/cards.module.css'
import { TroubleNote } from '../components/trouble-note.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { capTexts, extraItems, grantItems } from '../manage/grants.ts'
import { APPS } from '../state/apps.ts'
import { approvedText, type Install, plugsText, versionText } from '../state/install.ts'
import { Consent } from './consent.tsx'
import styles from './manage-page.module.css'
import { GiveValues } from './variables.tsx'

/** What is said of an app whose user allowed it nothing. */
const aloneTexts = {
  bare: 'It may use only its own windows and data.',
  plugs: 'It may also use its own windows and data.',
} as const

/** One app: what it may do, what a newer release would ask for besides, and how to be rid of it. */
export function InstallCard({ app }: { app: Install }) {
  const { ask } = useDesk()
  const { install_id, name, slug, version, grants, asks, newer, plugs } = app
  const uninstall = useAct(`uninstall ${install_id}`, async () => {
    await ask('DELETE /api/v1/svc-apps/installs/{install_id}', { params: { install_id } })
    return { said: `${name} was uninstalled`, reads: APPS }
  })
  const headingId = `install-${install_id}`
  const given = grantItems(grants, plugs)
  const allowed = [...given.map(({ sentence }) => sentence), ...capTexts(grants)]
  const refused = extraItems(grants, asks, plugs)
  const waiting = plugs.filter(({ consent }) => consent === 'asked')
  const never = plugs.filter(({ consent }) => consent === 'never')
  return (
    <li className={styles.card} data-heading={headingId}>
      <div className={styles.rowHead}>
        <AppMark name={name} slug={slug} />
        <div className={styles.names}>
          <h4 className={styles.name} id={headingId} tabIndex={-1}>
            {name}
          </h4>
          <p className={styles.soft}>{versionText(version)}</p>
        </div>
      </div>
      {plugs.length > 0 && <p className={styles.text}>Uses the plugins: {plugsText(plugs)}</p>}
      {waiting.length > 0 && (
        <p className={styles.text}>Not agreed to, and asked at the first use: {plugsText(waiting)}</p>
      )}
      {never.length > 0 && <p className={styles.text}>You never let it run: {plugsText(never)}</p>}
      <p className={styles.text}>
        {allowed.length > 0 ? 'You allowed it to' : aloneTexts[plugs.length > 0 ? 'plugs' : 'bare']}
      </p>
      {allowed.length > 0 && (
        <ul aria-label={`What ${name} may do`} className={styles.words}>
          {allowed.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {plugs
        .filter(({ terms }) => terms !== null && terms.needs !== '')
        .map((plug) => (
          <GiveValues key={plug.tool_id} name={plugsText([plug])} toolId={plug.tool_id} />
        ))}
      <Approved app={app} />
      {refused.length + given.length > 0 && (
        <Consent
          app={app}
          key={`own ${JSON.stringify(grants)}`}
          wanted={{ version, asks, plugs }}
          word="Change permissions"
        />
      )}
      {newer && <Consent app={app} wanted={newer} word={`Update to ${newer.version}`} />}
      <AskFirst act={uninstall} does="Uninstall it" name={`Uninstall ${name}`} word="Uninstall">
        <p className={styles.text}>Its windows close, and its jobs and sessions end.</p>
      </AskFirst>
    </li>
  )
}

/** The destructive tools that it may use without a question, and how to be asked again. */
function Approved({ app }: { app: Install }) {
  const { ask } = useDesk()
  const askAgain = useAct(`ask again ${app.app_id}`, async () => {
    const params = { app_id: app.app_id }
    await ask('DELETE /api/v1/svc-apps/apps/{app_id}/approvals', { params })
    return { said: `${app.name} asks again before it uses such a tool`, reads: APPS }
  })
  const text = approvedText(app)
  if (text === '') return null
  return (
    <>
      <p className={styles.text}>It does not ask you before it uses: {text}</p>
      <div className={cards.foot}>
        <span />
        <Button aria-label={`Ask me again: ${app.name}`} loading={askAgain.isBusy} onClick={askAgain.run}>
          Ask me again
        </Button>
      </div>
      <TroubleNote act={askAgain} whole />
    </>
  )
}
