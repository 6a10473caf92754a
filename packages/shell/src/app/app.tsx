import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { DeskProvider, useDeskState } from '../components/use-desk.ts'
import type { Desk } from '../desk/desk.ts'
import { focusArea } from '../keys/areas.ts'
import { JobsProvider, useFollowedJobs } from '../panels/use-jobs.ts'
import { shownAsk } from '../state/plug-ask.ts'
import { shownWish } from '../state/wish-ask.ts'
import { Approvals } from './approvals.tsx'
import { Desktop } from './desktop.tsx'
import { Frame } from './frame.tsx'
import { PlugQuestion } from './plug-question.tsx'
import { NoAnswer, SignInForm } from './sign-in-form.tsx'
import { theme } from './theme.ts'
import { ThemeNotifier } from './theme-switch.tsx'
import { WishQuestion } from './wish-question.tsx'

/** The whole page. */
export function App({ desk }: { desk: Desk }) {
  return (
    <MantineProvider defaultColorScheme="auto" theme={theme}>
      <QueryClientProvider client={desk.queries}>
        <DeskProvider value={desk}>
          <ThemeNotifier />
          <FollowJobs>
            <Inside />
          </FollowJobs>
          <Announcer />
        </DeskProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The desktop stays where it is while somebody signs in again: its windows are not loaded again for that. */
function Inside() {
  const phase = useDeskState(({ signIn }) => signIn.phase)
  const anyWindow = useDeskState(({ windows }) => windows.length > 0)
  const isAsking = useDeskState((state) => shownAsk(state) !== undefined)
  const isLeading = useDeskState((state) => shownWish(state) !== undefined)
  const before = useRef(phase)
  useEffect(() => {
    // After a sign-in the focus goes to the window in front, or chooses an app.
    if (before.current === 'out' && phase === 'in') focusArea('desktop', 'apps')
    before.current = phase
  }, [phase])
  return (
    <>
      {(phase === 'in' || anyWindow) && (
        <Frame inert={phase !== 'in'}>
          <Desktop />
        </Frame>
      )}
      {phase === 'in' && <PlugQuestion />}
      {/* One question at a time: what came up behind another would have taken its first clicks already. */}
      {phase === 'in' && !isAsking && <WishQuestion />}
      {phase === 'in' && !isAsking && !isLeading && <Approvals />}
      {phase === 'out' && <SignInForm />}
      {(phase === 'trouble' || (phase === 'asking' && !anyWindow)) && <NoAnswer />}
    </>
  )
}

/** The jobs are followed whether anybody looks at them or not. */
function FollowJobs({ children }: { children: ReactNode }) {
  return <JobsProvider value={useFollowedJobs()}>{children}</JobsProvider>
}

/** Tells a screen reader what changed. */
function Announcer() {
  const said = useDeskState((state) => state.said)
  return (
    <div aria-live="polite" className="unseen" role="status">
      {said}
    </div>
  )
}
