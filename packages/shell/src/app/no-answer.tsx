import { Button, Paper, Text, Title } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import styles from './sign-in-form.module.css'

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
        <Button fullWidth mt="lg" onClick={() => void desk.begin()}>
          Try again
        </Button>
      </Paper>
    </main>
  )
}
