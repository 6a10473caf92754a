import { useStored, useTitle } from '@svc/react'
import { useRef } from 'react'
import { TroubleBox } from './trouble-box.tsx'

/** The app: greets by a name that the host keeps. */
export function App() {
  const name = useStored('name', { initial: 'stranger' })
  const input = useRef<HTMLInputElement>(null)
  useTitle(`Hello, ${name.value}`)

  const save = () => {
    const wanted = input.current?.value.trim() ?? ''
    if (wanted !== '') void name.set(wanted)
  }

  return (
    <main>
      <h1>Hello, {name.value}</h1>
      <p className="soft">This app runs in a sandbox. The host keeps the name.</p>
      <div className="row">
        {/* A sandboxed document cannot submit a form, so Enter is handled here. */}
        <input
          ref={input}
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && save()}
          aria-label="Your name"
          placeholder="Your name"
          autoComplete="off"
        />
        <button type="button" className="primary" onClick={save}>
          Save
        </button>
      </div>
      {name.error && <TroubleBox error={name.error} />}
      {name.conflict && (
        <button type="button" onClick={name.reload}>
          Another window saved {name.conflict.theirs}: show it
        </button>
      )}
    </main>
  )
}
