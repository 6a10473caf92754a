import { useEffect, useRef, useState } from 'react'
import { loadName, saveName } from './saved-name.ts'
import { Trouble } from './trouble.tsx'

/** The app: greets whoever saved a name. */
export function App() {
  const [name, setName] = useState('stranger')
  const [error, setError] = useState<unknown>(null)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    loadName().then((saved) => setName(saved ?? 'stranger'), setError)
  }, [])

  async function save() {
    const wanted = input.current?.value.trim() ?? ''
    if (wanted === '') return
    setError(null)
    await saveName(wanted).then(() => setName(wanted), setError)
  }

  return (
    <main>
      <h1>Hello, {name}</h1>
      <p className="soft">This app runs in a sandbox. The host keeps the name.</p>
      <div className="row">
        {/* A sandboxed document cannot submit a form, so Enter is handled here. */}
        <input
          ref={input}
          aria-label="Your name"
          placeholder="Your name"
          autoComplete="off"
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && !nativeEvent.isComposing) void save()
          }}
        />
        <button type="button" className="primary" onClick={() => void save()}>
          Save
        </button>
      </div>
      {error !== null && <Trouble error={error} />}
    </main>
  )
}
