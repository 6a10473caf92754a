import { TroubleNote } from '../components/trouble-note.tsx'
import { type Act, focusField } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { capabilitiesOf, kindTitles } from '../manage/capabilities.ts'
import { missingFields } from '../state/distribution-form.ts'
import type { FieldName } from '../state/field.ts'
import type { PlugType } from '../state/plug.ts'
import type { PlugFields } from '../state/plug-form.ts'
import { DistributionFields } from './distribution-fields.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'
import { ManifestField } from './manifest-field.tsx'

const helps: Readonly<Record<PlugType, string>> = {
  tool: 'What the plugin returns for describe. Paste it, drop a .json file here, or let one of your runners ask the plugin.',
  skill: 'Optional: a skill is its README. A manifest needs a name, may have a version, and has no tools.',
}

/** The lines that may stay empty. */
const about = [
  { name: 'logo_url', label: 'Logo URL', help: 'A public https address.', rows: undefined },
  { name: 'sample_prompts', label: 'Sample prompts', help: 'One per line.', rows: 2 },
  { name: 'tags', label: 'Tags', help: 'One per line, or separated by commas.', rows: 1 },
] as const

/** The fields of a plugin, behind its name: where it comes from, its manifest, its texts. */
export function PlugForm({
  type,
  fields,
  errorOf,
  onType,
  describe,
}: {
  type: PlugType
  fields: PlugFields
  errorOf: (field: FieldName) => string | undefined
  onType: (how: (fields: PlugFields) => Partial<PlugFields>) => void
  describe: Act
}) {
  const desk = useDesk()

  function describeNow(): void {
    const [first] = missingFields(fields.distribution)
    if (first) {
      desk.say(`Needed to describe it: ${first.sentence}`)
      focusField(first.field)
    } else describe.run()
  }
  const readme = (
    <Line
      error={errorOf('readme')}
      field="readme"
      help="Plain text."
      label="README"
      onType={(text) => onType(() => ({ readme: text }))}
      rows={4}
      value={fields.readme}
    />
  )
  return (
    <>
      {type === 'tool' ? (
        <DistributionFields
          errorOf={errorOf}
          form={fields.distribution}
          onChange={(how) => onType(({ distribution }) => ({ distribution: { ...distribution, ...how } }))}
        />
      ) : (
        <section aria-label="What the skill says" className={styles.section}>
          {readme}
        </section>
      )}
      <ManifestField
        describe={type === 'tool' ? { isBusy: describe.isBusy, act: describeNow } : null}
        error={errorOf('manifest')}
        help={helps[type]}
        onType={(manifest) => onType(() => ({ manifest }))}
        text={fields.manifest}
      />
      <TroubleNote act={describe} />
      <CapabilityList manifest={fields.manifest} />
      <section aria-label="Texts" className={styles.section}>
        <h4 className={styles.sectionTitle}>If you like</h4>
        {type === 'tool' && readme}
        {about.map(({ name, label, help, rows }) => (
          <Line
            error={errorOf(name)}
            field={name}
            help={help}
            key={name}
            label={label}
            onType={(text) => onType(() => ({ [name]: text }))}
            {...(rows !== undefined && { rows })}
            value={fields[name]}
          />
        ))}
      </section>
    </>
  )
}

/** What a plugin can do and what it asks for, in words, as its manifest says. */
function CapabilityList({ manifest }: { manifest: string }) {
  const groups = capabilitiesOf(manifest)
  if (groups.length === 0) return null
  return (
    <section aria-label="Capabilities" className={styles.section}>
      <h4 className={styles.sectionTitle}>What it can do, and what it asks for</h4>
      {groups.map(({ kind, lines }) => (
        <div key={kind}>
          <h5 className={styles.groupTitle}>{kindTitles[kind]}</h5>
          <ul className={styles.words}>
            {lines.map(({ name, sentence }) => (
              <li key={name}>
                <code>{name}</code> <span>{sentence}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
