import { Button, Checkbox, Paper, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { DEFAULT_USER } from '../windows/sign-in.ts'
import styles from './sign-in-form.module.css'

const NAME_MAX_CHARS = 64

/** The development sign-in: a name, no password, on this machine only. */
export function SignInForm() {
  const desk = useDesk()
  const state = useDeskState(({ signIn }) => signIn)
  const [name, setName] = useState(desk.user ?? DEFAULT_USER)
  const [remember, setRemember] = useState(true)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  if (state.phase !== 'out') return null

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') void desk.signIn(name.trim(), remember)
  }
  return (
    <main className={styles.page}>
      <Paper className={styles.card} component="form" onSubmit={submit} p="xl" shadow="lg">
        <img alt="" height="44" src="./favicon.svg" width="44" />
        <Title mt="md" order={1} size="h3">
          {state.back ? 'Change name' : 'Welcome to svc'}
        </Title>
        <Text className={styles.soft} mb="lg" mt={4} size="sm">
          {state.back
            ? `You are signed in as ${desk.user ?? 'somebody'}. To switch, sign in under another name. Your windows stay open at the host and come back when you sign in under this name again.`
            : 'This host is for development: any name will do. Each name has its own apps and windows.'}
        </Text>
        <TextInput
          autoComplete="username"
          error={state.problem ?? undefined}
          label="Your name"
          maxLength={NAME_MAX_CHARS}
          onChange={(event) => setName(event.currentTarget.value)}
          ref={field}
          required
          value={name}
          withAsterisk={false}
        />
        <Checkbox
          checked={remember}
          label="Remember me on this machine"
          mt="md"
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <Button fullWidth loading={state.busy} mt="lg" size="sm" type="submit" variant="filled">
          Sign in
        </Button>
        {state.back && (
          <Button color="gray" fullWidth mt="xs" onClick={() => desk.keepName()} size="sm" variant="subtle">
            Cancel
          </Button>
        )}
      </Paper>
    </main>
  )
}

/** Instead of a blank page: the host is being asked, or did not answer as it should. */
export function NoAnswer() {
  const desk = useDesk()
  const signIn = useDeskState((state) => state.signIn)
  if (signIn.phase === 'asking')
    return (
      <main className={styles.page}>
        <p className={styles.asking} role="status">
          Connecting to the host …
        </p>
      </main>
    )
  if (signIn.phase !== 'trouble') return null
  return (
    <main className={styles.page}>
      <Paper className={styles.card} p="xl" role="alert" shadow="lg">
        <Title order={1} size="h3">
          The host does not respond
        </Title>
        <Text className={styles.soft} mt={4} size="sm">
          {signIn.problem}
        </Text>
        <Button fullWidth mt="lg" onClick={() => void desk.begin()} size="sm" variant="filled">
          Try again
        </Button>
      </Paper>
    </main>
  )
}
